import type { Person } from '../../src/sandbox/slack/index.ts';
import { fieldName } from '../../src/slack/field-ids.ts';
import { type ActionContext, command, confirm, sees, submit } from './action-context.ts';
import type { PlannedFile, Request, Send } from './plan.ts';

const countOf = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

export async function send(context: ActionContext, action: Send): Promise<void> {
  const { person } = context;
  await openSendForm(context, action);
  await sees(person, 'Review');
  await person.fills('Message', action.message);
  await person.fills('Expires after (days)', String(action.expiresAfter));
  await unpick(context, 'recipients', 'To', []);
  const names = action.files.map((file) => file.name);
  await unpick(context, 'staged', 'Choose from your files ready to send', action.by === 'form' ? [] : names);
  for (const { email } of action.to) await person.picks('To', email);
  if (action.by === 'form')
    await person.attaches(/More files/.test(person.screen()) ? 'More files' : 'Files', action.files);
  await submit(person, 'Review', /can't be recalled/);
  // The review must show all entered files and recipients, and no other recipients.
  for (const text of [...names, ...action.to.flatMap(({ email, number }) => [email, number])]) await sees(person, text);
  const others = addressesIn(person.screen()).filter((address) => !action.to.some(({ email }) => email === address));
  if (others.length > 0) throw new Error(`the review shows recipients that were not entered: ${others}`);
  const label = `Send ${countOf(action.files.length, 'file', 'files')} to ${countOf(action.to.length, 'person', 'people')}`;
  if (action.planned !== undefined) await person.fills('Send later', hoursAhead(2));
  await confirm(context, confirmLabel(person, label), action.isClickedTwice, confirmedText);
  await person.closes();
  if (action.planned !== undefined) return changePlanned(person, names[0] ?? '', action.planned);
  if (action.isUndone === true) return undo(person, names[0] ?? '');
  if (action.isCancelled) await cancel(person, `Cancel sending ${names[0]}`);
  if (action.isRepeated) await repeat(context, names[0] ?? '', label);
}

const confirmedText = /I'll update you|Already confirmed|Everything is checked again/;
const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Leaves a planned transfer as it is, or clicks on its card. It can still wait for approval then, with other buttons. */
async function changePlanned(person: Person, name: string, change: NonNullable<Send['planned']>): Promise<void> {
  if (change === 'left') return;
  if (change === 'cancelled') return cancel(person, `Cancel sending ${name}`);
  await person.opens('Dropline');
  await person.clicks(`Send now: ${name}`).catch(() => {});
}

const addressesIn = (text: string) => text.match(/[\w-]+@example\.org/g) ?? [];

/** Waits a few seconds for the card to say Sent, then clicks Send again. The new review must show the same file. */
async function repeat({ person, result }: ActionContext, name: string, label: string): Promise<void> {
  result.repeated = 'not submitted';
  await person.opens('Dropline');
  await sees(person, new RegExp(`✅ Sent\\s+${name}`), 6_000);
  await person.clicks('Send again', { near: name });
  await sees(person, /can't be recalled/);
  await sees(person, name);
  const shownLabel = confirmLabel(person, label);
  result.repeated = 'submitted';
  await submit(person, shownLabel, /I'll update you|Already confirmed/);
  result.repeated = 'accepted';
  await person.closes();
}

/** If the transfer needs approval, the button of the review has another label. */
const confirmLabel = (person: Person, label: string) =>
  person.screen().includes('[Request approval]') ? 'Request approval' : label;

/** Opens the form with the files of this action in it, or with a field to attach them. */
async function openSendForm({ person }: ActionContext, action: Send): Promise<void> {
  switch (action.by) {
    case 'form':
      return command(person, '/drop send');
    case 'staged':
      if (!hasMessage(person, `(file: ${action.files[0]?.name})`))
        await person.shares(action.files, { in: 'Dropline' });
      await sees(person, new RegExp(`Ready to send:.*${action.files[0]?.name}`), 6_000);
      return command(person, '/drop send');
    case 'shortcut': {
      const text = `Files of ${action.id}`;
      if (!hasMessage(person, text)) await person.shares(action.files, { in: '#general', text });
      await person.opens('#general');
      await person.usesShortcut('Send securely', { on: text });
    }
  }
}

const hasMessage = (person: Person, part: string) => person.messages.some(({ text }) => text.includes(part));

/** Removes selections that an earlier attempt left in the field, except those to keep. */
async function unpick({ workspace, person }: ActionContext, field: string, label: string, keep: readonly string[]) {
  const view = workspace.views.find(({ id }) => id === person.client.modals.at(-1));
  const entered = Object.entries(view?.values ?? {}).find(([blockId]) => fieldName(blockId) === field)?.[1];
  const selected = (entered?.[field]?.selected_options ?? []) as { text: { text: string } }[];
  for (const { text } of selected) {
    if (!keep.some((name) => text.text.startsWith(name))) await person.unpicks(label, text.text);
  }
}

/** Clicks Undo on the card, unless it has started by then. Closes the form that opens. */
async function undo(person: Person, name: string): Promise<void> {
  await person.opens('Dropline');
  await person.clicks(`Undo ${name}`).catch(() => {});
  if (person.client.modals.length > 0) await person.closes();
}

async function cancel(person: Person, label: string): Promise<void> {
  await person.opens('Dropline');
  await person.clicks(label);
  await person.confirms('Cancel transfer');
}

export async function request(context: ActionContext, action: Request): Promise<void> {
  const { person } = context;
  await command(person, '/drop request');
  await sees(person, 'Review');
  for (const { email } of action.to) await person.picks('Request from', email);
  await person.fills('Expires after (days)', String(action.expiresAfter));
  await person.fills('Message', action.message);
  const { points = [] } = action;
  if (points.length > 0) await person.fills('Checklist, one point per line', points.join('\n'));
  await submit(person, 'Review', /can upload files for you/);
  for (const point of points) await sees(person, point);
  for (const { email, number } of action.to) {
    await sees(person, new RegExp(`${email}[^\\n]* · Mobile ${number}`));
  }
  const label = `Request from ${countOf(action.to.length, 'person', 'people')}`;
  await confirm(context, confirmLabel(person, label), action.isClickedTwice, requestedText);
  if (action.answer !== undefined) await tickAndAskAgain(context, action, action.answer, label);
}

const requestedText = /I'll update you|already confirmed/;
/** Long enough for the bot to poll the inbox. */
const arrivalMs = 10_000;

/** Once the request is sent, a contact uploads a file. The person ticks off points, and asks again for the others. */
async function tickAndAskAgain(
  { person, result, arrive }: ActionContext,
  { to, points = [], ticks = 0, isAskedAgain = false, isClickedTwice }: Request,
  answer: PlannedFile,
  label: string,
): Promise<void> {
  const [first = ''] = points;
  await person.reloads();
  await person.opens('Dropline');
  await sees(person, new RegExp(`Requested files from[^]*${first}`), 6_000);
  await arrive(to[0]?.email ?? '', answer);
  await sees(person, `⬜ ${first}`, arrivalMs);
  result.ticks = [];
  for (const point of points.slice(0, ticks)) {
    const tick = { point, isConfirmed: false };
    result.ticks.push(tick);
    await Promise.all(Array.from({ length: isClickedTwice ? 2 : 1 }, () => person.clicks(`⬜ ${point}`)));
    await sees(person, `✅ ${point}`);
    tick.isConfirmed = true;
  }
  if (!isAskedAgain) return;
  result.repeated = 'not submitted';
  await person.clicks('Ask again', { near: points.at(-1) ?? '' });
  await sees(person, /can upload files for you/);
  const [, review = ''] = person.screen().split('== Request files ==');
  const shownPoints = points.filter((point) => review.includes(point));
  if (shownPoints.join() !== points.slice(ticks).join())
    throw new Error(`the review shows other points: ${shownPoints}`);
  const shownLabel = confirmLabel(person, label);
  result.repeated = 'submitted';
  if (isClickedTwice) await Promise.allSettled([person.submits(shownLabel), person.submits(shownLabel)]);
  else await submit(person, shownLabel, requestedText);
  if (person.client.modals.length > 0) await sees(person, requestedText);
  result.repeated = 'accepted';
}
