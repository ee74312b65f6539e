/** The page's only style sheet, for light and dark, wide and narrow. */
export const style = `
:root { color-scheme: light dark;
  --ink: #1d1c1d; --dim: #616061; --paper: #fff; --raised: #fff; --hover: #f6f6f6; --line: #dddddd; --field: #868686;
  --soft: #f4f1f4; --link: #1264a3; --strong: #1264a3; --mention: #e8f5fa; --mention-ink: #0b4c8c; --code: #c01343; --code-ground: #f5f5f6;
  --go: #007a5a; --go-ink: #fff; --danger: #d1173f; --danger-text: #c5133a; --danger-ink: #fff; --only-me: #fdf6e7; --focus: #1d9bd1;
  --bar: #350d36; --side: #4a154b; --side-ink: #ecdfec; --side-dim: #cdb6cd; --side-hover: #5d2a5e; --side-current: #f9edff;
  --side-current-ink: #39063a; --shadow: 0 0 0 1px #0000001a, 0 8px 28px #00000029; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e4e5; --dim: #ababad; --paper: #1a1d21; --raised: #222529; --hover: #222529; --line: #3b3e44;
    --field: #868a91; --soft: #26222b; --link: #1d9bd1; --mention: #1b3a4b; --mention-ink: #8fd0f5; --code: #f09ab0;
    --code-ground: #232529; --go: #148567; --danger: #d1304f; --danger-text: #f58aa1; --only-me: #29261f;
    --bar: #16081a; --side: #241128; --side-ink: #e2d6e3; --side-dim: #b3a1b5; --side-hover: #3a2140; --side-current: #5a2a62;
    --side-current-ink: #fff; --shadow: 0 0 0 1px #ffffff1f, 0 8px 28px #00000080; }
}
* { box-sizing: border-box; margin: 0; }
html, body { height: 100%; }
body { background: var(--paper); color: var(--ink);
  font: 15px/1.467 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
button, input, textarea, select { font: inherit; color: inherit; }
button { cursor: pointer; background: none; border: 0; padding: 0; }
ul, ol { padding: 0; list-style: none; }
h1 { font-size: 18px; } h2 { font-size: 16px; } h3 { font-size: 15px; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; border-radius: 4px; }
.scroll { overflow-y: auto; overscroll-behavior: contain; }
.scroll:focus-visible { outline-offset: -3px; }
.dim { color: var(--dim); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.icon { width: 18px; height: 18px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round;
  stroke-linejoin: round; }
.tag { padding: 0 4px; border-radius: 3px; background: color-mix(in srgb, currentColor 14%, transparent); font-size: 11px;
  font-weight: 600; line-height: 16px; }
.tool { display: inline-grid; place-items: center; min-width: 30px; height: 30px; border-radius: 6px; color: var(--dim);
  cursor: pointer; }
.tool:hover { background: color-mix(in srgb, var(--ink) 9%, transparent); color: var(--ink); }
.tool:focus-within { outline: 2px solid var(--focus); }

#page { display: grid; height: 100%; grid: minmax(44px, auto) minmax(0, 1fr) / 240px minmax(0, 1fr) 340px; }
.waiting { padding: 24px; grid-column: 1 / -1; }

.top-bar { grid-column: 1 / -1; display: flex; align-items: center; gap: 16px; padding: 0 16px; background: var(--bar);
  color: var(--side-ink); }
.brand { white-space: nowrap; }
.lost, .toast { min-width: 0; overflow-wrap: anywhere; padding: 2px 10px; border-radius: 6px; background: #ffd966; color: #3a2c00; font-size: 13px; }
.people { display: flex; align-items: center; gap: 4px; margin-left: auto; }
.people-label { margin-right: 6px; color: var(--side-dim); font-size: 13px; white-space: nowrap; }
.person { display: flex; align-items: center; gap: 6px; padding: 3px 10px 3px 4px; border-radius: 16px; font-size: 13px; }
.person:hover { background: var(--side-hover); }
.person.current { background: var(--side-current); color: var(--side-current-ink); font-weight: 700; }
.person .role { font-weight: 400; font-size: 12px; color: var(--side-dim); }
.person.current .role { color: inherit; }

.avatar { display: inline-grid; place-items: center; flex: none; width: 36px; height: 36px; border-radius: 7px; color: #fff;
  font-weight: 700; }
.person .avatar, .place .avatar { width: 20px; height: 20px; border-radius: 5px; font-size: 11px; }
.person .avatar { border-radius: 50%; }
.avatar.app { background: linear-gradient(150deg, #2d6aa3, #1d3c5a); position: relative; }
.avatar.app::before { content: ''; width: 42%; aspect-ratio: 1; background: #fff; border-radius: 0 55% 55% 55%;
  transform: translateY(8%) rotate(45deg); }
.hue-0 { background: #2c6e49; } .hue-1 { background: #8f3b76; } .hue-2 { background: #1f5f99; } .hue-3 { background: #9a4a1a; }
.hue-4 { background: #4b4fa6; } .hue-5 { background: #7a2e2e; } .hue-6 { background: #0f6b74; } .hue-7 { background: #6b5a12; }

.sidebar { grid-area: 2 / 1; display: flex; flex-direction: column; min-height: 0; background: var(--side); color: var(--side-ink); }
.workspace { padding: 14px 16px 10px; font-size: 18px; font-weight: 800; color: #fff; }
.sidebar-lists { flex: 1; padding: 0 8px 16px; }
.sidebar h2 { padding: 14px 8px 4px; font-size: 13px; font-weight: 600; color: var(--side-dim); }
.place { display: flex; align-items: center; gap: 8px; width: 100%; padding: 3px 8px; border-radius: 6px; text-align: left;
  color: var(--side-ink); min-height: 28px; }
.place > span:nth-child(2) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.place:hover { background: var(--side-hover); text-decoration: none; }
.place.unread { font-weight: 800; color: #fff; }
.place.current { background: var(--side-current); color: var(--side-current-ink); }
.dot { width: 8px; height: 8px; margin-left: auto; border-radius: 50%; background: #f2c744; }

.middle { grid-area: 2 / 2; display: flex; flex-direction: column; min-height: 0; min-width: 0; background: var(--paper); position: relative; }
.middle.over::after { content: 'Drop files here'; position: absolute; inset: 12px; z-index: 5; display: grid;
  place-items: center; border: 3px dashed var(--focus); border-radius: 12px; font-size: 20px; font-weight: 700;
  background: color-mix(in srgb, var(--paper) 88%, transparent); pointer-events: none; }
.heading { display: flex; align-items: center; gap: 12px; min-height: 50px; padding: 8px 16px;
  border-bottom: 1px solid var(--line); }
.heading h1, .heading h2 { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.heading > :last-child:is(button) { margin-left: auto; }
.topic { color: var(--dim); font-size: 13px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; min-width: 0; }
.tabs { display: flex; gap: 4px; }
.tabs button { padding: 4px 10px; border-radius: 6px; color: var(--dim); font-weight: 600; }
.tabs button:hover { background: var(--hover); }
.tabs [aria-current] { color: var(--ink); box-shadow: inset 0 -2px var(--go); border-radius: 6px 6px 0 0; }

.messages { flex: 1; min-height: 0; padding: 8px 0 12px; }
.day { display: flex; align-items: center; gap: 12px; margin: 10px 20px; font-size: 13px; font-weight: 700; }
.day::before, .day::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
.day span { padding: 2px 14px; border: 1px solid var(--line); border-radius: 14px; }
.message { position: relative; display: grid; grid-template-columns: 36px minmax(0, 1fr); gap: 0 10px; padding: 7px 20px 5px; }
.message:hover, .message:focus-within { background: var(--hover); }
.message.goes-on { padding-top: 4px; }
.message.only-me { background: var(--only-me); }
.only-me-line { grid-column: 2; display: flex; align-items: center; gap: 5px; color: var(--dim); font-size: 12px; }
.only-me-line .icon { width: 14px; height: 14px; }
.gutter { display: flex; justify-content: flex-end; line-height: 22px; }
.gutter time { font-size: 11px; white-space: nowrap; }
.gutter time { color: transparent; } .message:hover .gutter time { color: var(--dim); }
.byline { display: flex; align-items: baseline; gap: 8px; line-height: 1.3; }
.byline b { font-weight: 900; }
time { color: var(--dim); font-size: 12px; }
.message-body { min-width: 0; overflow-wrap: anywhere; }
.toolbar { position: absolute; top: -12px; right: 20px; z-index: 2; display: flex; padding: 2px; border-radius: 8px;
  background: var(--raised); box-shadow: 0 0 0 1px var(--line), 0 1px 3px #00000014; opacity: 0; }
.message:hover .toolbar, .toolbar:focus-within { opacity: 1; }
.replies { display: block; margin-top: 4px; padding: 2px 8px; border: 1px solid transparent; border-radius: 6px; color: var(--link);
  font-size: 13px; font-weight: 700; }
.replies:hover { border-color: var(--line); background: var(--paper); }
.file { display: inline-flex; align-items: center; gap: 10px; margin: 6px 8px 2px 0; padding: 9px 14px 9px 10px;
  border: 1px solid var(--line); border-radius: 10px; background: var(--raised); color: var(--ink); max-width: 100%; }
.file .icon { width: 24px; height: 24px; color: var(--link); }
.file > span { display: grid; line-height: 1.25; min-width: 0; }
.file .dim { font-size: 12px; }
.file.gone { color: var(--dim); }

.block { max-width: 680px; white-space: pre-wrap; overflow-wrap: anywhere; }
.block a:not(.button) { text-decoration: underline; }
.block + .block { margin-top: 6px; }
.block :is(h2, h3) { font-size: 17px; font-weight: 900; margin-top: 4px; }
.block hr { border: 0; border-top: 1px solid var(--line); margin: 8px 0; }
.block-section { display: flex; align-items: flex-start; justify-content: space-between; gap: 16px; white-space: normal; }
.section-text { white-space: pre-wrap; min-width: 0; flex: 1; }
.section-fields { display: grid; grid-template-columns: 1fr 1fr; gap: 6px 16px; }
.block-context { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; color: var(--dim); font-size: 13px; }
.block-actions { display: flex; flex-wrap: wrap; gap: 8px; white-space: normal; }
.block-rich_text { display: grid; gap: 4px; }
.block ul:not([class*=tokens], [role]) { list-style: disc; padding-left: 24px; }
.block ol { list-style: decimal; padding-left: 24px; }
.block ul.indent-1 { margin-left: 24px; }
code { padding: 1px 4px; border: 1px solid var(--line); border-radius: 4px; background: var(--code-ground); color: var(--code);
  font: 0.8em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { padding: 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--code-ground); overflow-x: auto;
  font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.mention { padding: 0 2px 1px; border-radius: 3px; background: var(--mention); color: var(--mention-ink); }

.button { display: inline-flex; align-items: center; justify-content: center; min-height: 32px; padding: 3px 12px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--raised); color: var(--ink); font-size: 14px;
  font-weight: 700; cursor: pointer; text-align: center; }
.button:hover { background: var(--hover); text-decoration: none; box-shadow: 0 1px 4px #0000001f; }
.button.primary { background: var(--go); border-color: var(--go); color: var(--go-ink); }
.button.danger { color: var(--danger-text); border-color: var(--danger-text); }
.button.danger.solid { background: var(--danger); border-color: var(--danger); color: var(--danger-ink); }
.button.primary:hover, .button.danger.solid:hover { filter: brightness(1.1); }
.button:is([aria-busy], :disabled) { opacity: 0.6; cursor: progress; }
.button.square { padding: 0; min-width: 32px; }

.menu-button { position: relative; display: inline-flex; }
.menu-button.open { z-index: 10; }
.menu { position: absolute; top: calc(100% + 4px); right: 0; z-index: 20; min-width: 220px; max-width: 320px; padding: 6px 0;
  border-radius: 8px; background: var(--raised); box-shadow: var(--shadow); }
.menu.up { top: auto; bottom: calc(100% + 4px); }
.composer .menu { left: 0; right: auto; top: auto; bottom: calc(100% + 4px); }
.menu button { display: grid; width: 100%; padding: 5px 16px; text-align: left; }
.menu button .dim { font-size: 12px; }
.menu button:is(:hover, :focus) { background: var(--strong); color: #fff; outline: 0; }
.menu button:is(:hover, :focus) .dim { color: inherit; }

.composer { position: relative; margin: 0 20px 20px; border: 1px solid var(--field); border-radius: 10px; background: var(--raised); }
.composer:focus-within { border-color: var(--ink); }
.composer textarea { display: block; width: 100%; padding: 10px 12px 4px; border: 0; background: none; resize: none; outline: 0; }
.composer .tokens { padding: 4px 10px; }
.composer-tools { display: flex; gap: 2px; padding: 2px 6px 6px; align-items: center; }
.send { display: grid; place-items: center; margin-left: auto; width: 34px; height: 28px; border-radius: 6px;
  background: var(--go); color: var(--go-ink); }
.send:disabled { background: none; color: var(--dim); cursor: default; }
.completions, .offers { position: absolute; z-index: 15; left: 0; right: 0; padding: 6px 0; border-radius: 8px;
  background: var(--raised); box-shadow: var(--shadow); max-height: 260px; overflow-y: auto; }
.completions { bottom: calc(100% + 6px); }
.completions li { display: flex; gap: 10px; padding: 4px 14px; cursor: pointer; white-space: nowrap; overflow: hidden; }
.offers li { display: grid; padding: 5px 14px; cursor: pointer; }
.offers .dim { font-size: 12px; } .offers p { padding: 4px 14px; }
:is(.offers, .completions) li:hover { background: var(--soft); }
:is(.offers, .completions) li.active { background: var(--strong); color: #fff; }
:is(.offers, .completions) li.active .dim { color: inherit; }
.offers [aria-selected=true]::before { content: '✓ '; position: absolute; left: 2px; }
.notice { display: flex; align-items: center; justify-content: space-between; margin: 0 20px 8px; padding: 6px 12px;
  border-radius: 8px; background: color-mix(in srgb, var(--danger) 12%, var(--paper)); color: var(--ink); }
.closed { display: flex; align-items: center; justify-content: center; gap: 16px; margin: 0 20px 20px; padding: 14px;
  border-radius: 10px; background: var(--soft); }

.tokens { display: flex; flex-wrap: wrap; gap: 6px; }
.token { display: inline-flex; align-items: center; gap: 4px; padding: 2px 2px 2px 8px; border-radius: 6px; max-width: 100%;
  background: var(--mention); color: var(--mention-ink); font-size: 14px; overflow-wrap: anywhere; }
.token button { display: grid; place-items: center; width: 22px; height: 22px; border-radius: 5px; }
.token button:hover { background: color-mix(in srgb, currentColor 18%, transparent); }
.token .icon { width: 14px; height: 14px; }

.layer { grid-area: 2 / 1 / 3 / 3; z-index: 25; display: grid; place-items: center; padding: 12px; min-height: 0;
  background: #00000080; }
.modal { position: static; width: 100%; max-width: 540px; max-height: min(100%, 780px); margin: auto; padding: 0; border: 0;
  border-radius: 12px; background: var(--paper); color: var(--ink); box-shadow: var(--shadow); overflow: hidden; outline: 0; }
.modal[open], .modal form { display: flex; flex-direction: column; min-height: 0; }
.modal form { flex: 1; max-height: inherit; }
.modal-header { display: flex; align-items: center; gap: 8px; padding: 16px 16px 12px 24px; }
.modal-header h2 { flex: 1; font-size: 21px; font-weight: 900; line-height: 1.2; }
.modal-body { padding: 4px 24px 16px; }
.modal-body .block { max-width: none; }
.modal-body .block + .block { margin-top: 14px; }
.modal-body .block-context { margin-top: 8px; }
.modal-footer { display: flex; justify-content: flex-end; gap: 10px; padding: 14px 24px; border-top: 1px solid var(--line); }
.modal .button { min-height: 36px; padding: 3px 14px; }
.offer { display: flex; align-items: center; gap: 10px; padding: 8px 24px; background: var(--soft); }
.confirmation { max-width: 440px; }
.block-input { white-space: normal; }
.label { display: block; margin-bottom: 5px; font-weight: 700; }
.label .dim { font-weight: 400; }
.input, .picker-box { width: 100%; padding: 7px 11px; border: 1px solid var(--field); border-radius: 6px;
  background: var(--raised); }
textarea.input { resize: vertical; }
.date-picker { display: inline-flex; align-items: center; gap: 6px; font-size: 14px; }
.date-picker .input { width: auto; padding: 3px 8px; }
.input:focus, .picker-box:focus-within { outline: 0; border-color: var(--focus); box-shadow: 0 0 0 3px color-mix(in srgb, var(--focus) 35%, transparent); }
.input[aria-invalid], .picker.invalid .picker-box { border-color: var(--danger-text); }
::placeholder { color: var(--dim); opacity: 1; }
.hint { margin-top: 5px; color: var(--dim); font-size: 13px; }
.field-error { margin-top: 5px; color: var(--danger-text); font-size: 14px; }
.field-error::before { content: '⚠ '; }
.picker { position: relative; }
.block:not(.block-input) .picker { min-width: 220px; }
.picker-box { display: flex; flex-wrap: wrap; align-items: center; gap: 5px; padding: 4px 8px; }
.picker-box input { flex: 1; min-width: 80px; padding: 3px 4px; border: 0; background: none; outline: 0; }
.picker-box > .icon { margin-left: auto; color: var(--dim); }
.clear { display: grid; place-items: center; width: 24px; height: 24px; color: var(--dim); }
.clear .icon { width: 14px; height: 14px; }
.offers { top: calc(100% + 4px); }
.choices { display: grid; gap: 6px; }
.choices label { display: flex; gap: 8px; align-items: flex-start; cursor: pointer; }
.choices input { width: 18px; height: 18px; margin-top: 2px; accent-color: var(--go); flex: none; }
.choices .dim { display: block; font-size: 13px; }
.file-field { padding: 12px; border: 2px dashed var(--line); border-radius: 8px; display: grid; gap: 8px; }
.file-field.over { border-color: var(--focus); background: var(--mention); }
.file-field input { width: 100%; font-size: 14px; color: var(--dim); }
/* Attached files are listed below. The input itself is empty again, and would say that there is none. */
.file-field.filled input { color: transparent; }
.file-field input::file-selector-button { margin-right: 12px; padding: 5px 12px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--raised); color: var(--ink); font: inherit; font-weight: 700; cursor: pointer; }
.file-field .tokens:empty { display: none; }
/* As high as a token, so that nothing moves when the upload ends. */
.file-field .tokens .dim { line-height: 26px; }

.home { flex: 1; padding: 20px; }
.home-blocks { max-width: 680px; margin: 0 auto; }
.home-blocks .block + .block-header { margin-top: 18px; }
.beside { grid-area: 2 / 3; display: flex; flex-direction: column; min-height: 0; border-left: 1px solid var(--line); background: var(--paper); }
.thread { display: flex; flex-direction: column; flex: 1; min-height: 0; }
.thread .composer { margin: 0 12px 16px; }
.outside { flex: 1; padding: 4px 16px 24px; background: var(--soft); }
.outside section { margin-top: 16px; }
.outside h3 { margin-bottom: 6px; }
.steps { display: grid; gap: 6px; padding-left: 20px; list-style: decimal; font-size: 14px; }
.steps .done { color: var(--dim); } .done-mark .icon { width: 15px; height: 15px; margin-left: 4px; color: var(--go); stroke-width: 3;
  vertical-align: -2px; }
.next { margin-top: 8px; } .next, .later { font-size: 13px; } .later { margin-bottom: 6px; }
.facts { display: grid; gap: 4px; font-size: 14px; }
.facts dt { color: var(--dim); font-size: 12px; }
.facts dd { display: flex; align-items: center; gap: 4px; min-width: 0; }
.facts code { font-size: 13px; }
.mails { display: grid; gap: 10px; }
.mail { padding: 10px 12px; border-radius: 10px; background: var(--raised); box-shadow: 0 0 0 1px var(--line); font-size: 14px;
  overflow-wrap: anywhere; }
.mail-head { display: flex; align-items: center; gap: 6px; } .mail-head time { margin-left: auto; }
.mail-text { white-space: pre-wrap; } .mail .button { margin-top: 8px; }
.outside .button { margin: 0 6px 6px 0; }
.simulations { display: grid; grid-template-columns: 49px minmax(0, 1fr); align-items: baseline; }
.simulations h4 { color: var(--dim); font-size: 12px; font-weight: 400; }
.simulations .button { min-height: 26px; margin: 0 4px 4px 0; padding: 0 6px; border-radius: 6px; font-size: 12px; font-weight: 500; }
.simulations .menu { left: 0; right: auto; font-size: 14px; } .simulations > div > .menu-button:nth-child(3) .menu { left: auto; right: 0; }
.simulations .button .icon { width: 12px; height: 12px; margin-left: 3px; }

.only-medium, .only-narrow { display: none; }
@media (max-width: 1100px) {
  #page { grid-template-columns: 220px minmax(0, 1fr); }
  .only-medium { display: inline-grid; }
  .beside { position: fixed; inset: 44px 0 0 auto; width: min(360px, 100vw); z-index: 30; box-shadow: var(--shadow);
    visibility: hidden; transform: translateX(100%); transition: transform 0.16s; }
  .beside.shown { visibility: visible; transform: none; }
}
@media (max-width: 720px) {
  #page { grid-template-columns: minmax(0, 1fr); }
  .middle { grid-column: 1; } .layer { grid-column: 1 / 2; }
  .only-narrow { display: inline-grid; }
  .sidebar { position: fixed; inset: 44px auto 0 0; width: 260px; z-index: 30; visibility: hidden;
    transform: translateX(-100%); transition: transform 0.16s; }
  .sidebar.shown { visibility: visible; transform: none; }
  .people-label, .person .role, .topic { display: none; }
  .top-bar { padding: 0 10px; gap: 8px; } .message { padding-inline: 12px; } .composer { margin: 0 12px 12px; }
  .heading { gap: 6px; padding: 8px 10px; }
  .block-section { flex-wrap: wrap; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;
