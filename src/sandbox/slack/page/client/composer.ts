import { type Completion, completionsFor } from './completions.ts';
import { h, type VNode } from './dom.ts';
import { sizeOf } from './format.ts';
import { icon } from './icons.ts';
import { menuButton } from './menu.ts';
import { act, ignoreErrors, type Uploaded, upload } from './server.ts';
import type { State } from './state.ts';
import { redraw } from './ui.ts';

export interface Draft {
  text: string;
  files: Uploaded[];
  /** Number of uploads in progress. */
  busy: number;
  /** Index of the highlighted command in the list. */
  active: number;
  /** Escape closes the list of commands until the text changes. */
  isListClosed: boolean;
}

const drafts = new Map<string, Draft>();

/** The draft of one conversation or thread; it stays when the person opens another one. */
export function draftOf(key: string): Draft {
  const newDraft: Draft = { text: '', files: [], busy: 0, active: 0, isListClosed: false };
  const draft = drafts.get(key) ?? newDraft;
  drafts.set(key, draft);
  return draft;
}

/** Adds files to a draft, from the button or from drag and drop. */
export async function addFiles(draft: Draft, files: readonly File[]): Promise<void> {
  draft.busy += files.length;
  redraw();
  for (const file of files) {
    const uploaded = await upload(file).catch(() => undefined);
    draft.busy -= 1;
    if (uploaded) draft.files.push(uploaded);
    redraw();
  }
}

/** The input for messages, commands and replies in a thread. */
export function composer(state: State, key: string, label: string, thread?: string): VNode {
  const draft = draftOf(key);
  const completions = draft.isListClosed || thread !== undefined ? [] : completionsFor(state.commands, draft.text);
  const active = Math.min(draft.active, completions.length - 1);
  const canSend = () => draft.busy === 0 && (draft.text.trim() !== '' || draft.files.length > 0);

  async function send(): Promise<void> {
    if (!canSend()) return;
    const { text, files } = draft;
    Object.assign(draft, { text: '', files: [], active: 0 });
    redraw();
    try {
      await act('say', { text: text.trim(), files: files.map(({ id }) => id), thread });
    } catch {
      // Restore the draft, and keep what was typed since.
      const texts = [text, draft.text].filter((each) => each !== '');
      Object.assign(draft, { text: texts.join('\n'), files: [...files, ...draft.files] });
      redraw();
    }
  }

  function complete({ text }: Completion): void {
    Object.assign(draft, { text, active: 0 });
    redraw();
  }

  function keydown(event: KeyboardEvent): void {
    const chosen = completions[active];
    if (chosen && event.key === 'ArrowDown') draft.active = Math.min(active + 1, completions.length - 1);
    else if (chosen && event.key === 'ArrowUp') draft.active = Math.max(active - 1, 0);
    else if (chosen && event.key === 'Escape') draft.isListClosed = true;
    else if (chosen && (event.key === 'Tab' || (event.key === 'Enter' && chosen.text !== draft.text))) complete(chosen);
    else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) ignoreErrors(send());
    else return;
    event.preventDefault();
    redraw();
    queueMicrotask(scrollToActive);
  }

  return h(
    'form',
    {
      key,
      class: 'composer',
      onsubmit: (event: Event) => {
        event.preventDefault();
        ignoreErrors(send());
      },
    },
    completions.length > 0 && completionList(key, completions, active, complete),
    h('textarea', {
      rows: String(Math.min(draft.text.split('\n').length, 8)),
      currentValue: draft.text,
      placeholder: label,
      'aria-label': label,
      'aria-autocomplete': 'list',
      'aria-controls': completions.length > 0 && `completions-${key.replace(/\W/g, '')}`,
      'aria-activedescendant': completions.length > 0 && `completion-${active}`,
      oninput: (event: Event) => {
        Object.assign(draft, { text: (event.target as HTMLTextAreaElement).value, active: 0, isListClosed: false });
        redraw();
      },
      onkeydown: keydown,
    }),
    (draft.files.length > 0 || draft.busy > 0) && attachments(draft),
    h(
      'div',
      { class: 'composer-tools' },
      attachButton(draft),
      thread === undefined && shortcutsButton(state),
      h(
        'button',
        {
          type: 'submit',
          class: 'send',
          disabled: !canSend(),
          'aria-label': 'Send now',
          title: 'Send now',
        },
        icon('send'),
      ),
    ),
  );
}

/** Scrolls the list of commands to the active one. */
function scrollToActive(): void {
  document.querySelector('.completions .active')?.scrollIntoView({ block: 'nearest' });
}

function completionList(key: string, list: Completion[], active: number, complete: (other: Completion) => void): VNode {
  return h(
    'ul',
    {
      class: 'completions',
      role: 'listbox',
      id: `completions-${key.replace(/\W/g, '')}`,
      'aria-label': 'Commands',
      // The list can scroll, so it must be reachable by keyboard.
      tabindex: '0',
    },
    list.map((completion, index) =>
      h(
        'li',
        {
          role: 'option',
          id: `completion-${index}`,
          class: index === active ? 'active' : '',
          'aria-selected': String(index === active),
          onmousedown: (event: Event) => {
            event.preventDefault();
            complete(completion);
          },
        },
        h('b', {}, completion.label),
        h('span', { class: 'dim' }, completion.description),
      ),
    ),
  );
}

function attachments(draft: Draft): VNode {
  return h(
    'ul',
    { class: 'tokens' },
    draft.files.map((file) =>
      h(
        'li',
        { key: file.id, class: 'token' },
        icon('file'),
        `${file.name} (${sizeOf(file.size)})`,
        h(
          'button',
          {
            type: 'button',
            'aria-label': `Remove ${file.name}`,
            onclick: () => {
              draft.files = draft.files.filter((other) => other !== file);
              redraw();
            },
          },
          icon('close'),
        ),
      ),
    ),
    draft.busy > 0 && h('li', { class: 'dim' }, 'Uploading…'),
  );
}

function attachButton(draft: Draft): VNode {
  const onPick = (event: Event) => {
    const input = event.target as HTMLInputElement;
    ignoreErrors(addFiles(draft, [...(input.files ?? [])]));
    input.value = '';
  };
  return h(
    'label',
    { class: 'tool', title: 'Attach files' },
    icon('clip'),
    h('input', { type: 'file', multiple: true, class: 'unseen', 'aria-label': 'Attach files', onchange: onPick }),
  );
}

function shortcutsButton({ shortcuts }: State): VNode | false {
  const items = shortcuts
    .filter(({ on }) => on === 'global')
    .map(({ name, description }) => ({ label: name, description, run: () => ignoreErrors(act('shortcut', { name })) }));
  return (
    items.length > 0 &&
    menuButton({ key: 'shortcuts', label: 'Shortcuts', content: icon('bolt'), class: 'tool', items })
  );
}
