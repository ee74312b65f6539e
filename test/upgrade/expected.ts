import type { RecordedAction } from './recording.ts';
import type { Answer } from './upgraded.ts';

/** Texts that a read-only button or form must show: only what people entered, because our own texts can change. */
const expectedTexts: Record<string, string[]> = {
  'click connect.goOn#contacts#message': ['carl@example.org'],
  'click contacts.again#message': ['refused@example.org', '46700000777'],
  'click contacts.all': ['carl@example.org'],
  'click contacts.group': ['person'],
  'click contacts.groupsPage#next': ['team'],
  'click contacts.membersPage#next': ['person'],
  'click contacts.menu#edit': ['person05@example.org', 'Person 05'],
  'click contacts.menu#groups': ['team 05'],
  'click contacts.menu#remove': ['person05@example.org'],
  'click contacts.page#next': ['person'],
  'click files.show#message': ['staged-1.txt', 'staged-2.txt'],
  'click history.detail': ['past.txt', 'carl@example.org'],
  'click history.page#older': ['old-'],
  'click inbox.files': ['part-0.txt', 'part-19.txt'],
  'click inbox.files#message': ['part-0.txt', 'part-19.txt'],
  'click inbox.files-page#next#files': ['part-24.txt'],
  'click inbox.page#next': ['early-'],
  'click send.again#message': ['fits.txt', 'large.txt', 'carl@example.org'],
  'click send.again#without#message': ['fits.txt', 'carl@example.org'],
  'click send.open': ['staged-1.txt', 'staged-2.txt', 'Words of a draft', 'carl@example.org', '"9"'],
  'click settings.open#routes': ['example.net'],
  'click settings.open#sending': ['example.org', 'example.net', '"30"', 'Kind regards, Acme'],
  'submit contacts.import': ['contacts.csv'],
  'submit contacts.list': ['person04@example.org'],
  'submit history.form': ['past.txt'],
  'submit receivers.form': ['carl@example.org'],
  'submit request.form': ['person03@example.org', 'Files from person03, please'],
  'submit send.form': ['staged-1.txt', 'staged-2.txt', 'Words of a draft', 'carl@example.org'],
};

/** Texts that a button or form must not show. */
const forbiddenTexts: Record<string, string[]> = { 'click send.again#without#message': ['large.txt'] };

/** Actions that change data. changes.deep.test.ts, settings.deep.test.ts and jobs.deep.test.ts check the changes. */
const changing = [
  /^click (audit|contacts)\.export/,
  /^click connect\.leave/,
  /^click contacts\.(leave|onlyAdds)/,
  /^click files\.(out|remove)/,
  /^click inbox\.download/,
  /^click receivers\.clear/,
  /^click (send|request)\.(ask|cancel|remove)/,
  /^click settings\.route-remove/,
  /^click status\./,
  /^close send/,
  /^submit connect\.form/,
  /^submit contacts\.(add|edit|importNow|join|newGroup|remove)/,
  /^submit (send|request)\.confirm/,
  /^submit settings\./,
];

export const nameOf = ({ kind, key }: RecordedAction) => `${kind} ${key}`;
export const isChanging = (action: RecordedAction) => changing.some((pattern) => pattern.test(nameOf(action)));

/** All problems of an answer. */
export function problemsOf(name: string, { isAcknowledged, hasVisibleChange, problems, modal }: Answer): string[] {
  return [
    ...(isAcknowledged ? [] : ['not acknowledged']),
    // A link button opens a page and shows nothing in Slack.
    ...(hasVisibleChange || name.startsWith('click link.') ? [] : ['no visible change']),
    ...problems,
    ...(expectedTexts[name] ?? []).filter((text) => !modal.includes(text)).map((text) => `does not show ${text}`),
    ...(forbiddenTexts[name] ?? []).filter((text) => modal.includes(text)).map((text) => `shows ${text}`),
  ].map((problem) => `${name}: ${problem}`);
}
