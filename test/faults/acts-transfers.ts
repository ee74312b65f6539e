import type { Person } from '../../src/sandbox/slack/index.ts';
import { type ActContext, command, confirm, sees, submit } from './act-context.ts';
import type { Request, Send } from './plan.ts';

const countOf = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

export async function send(context: ActContext, act: Send): Promise<void> {
  const { person } = context;
  await openSendForm(context, act);
  await sees(person, 'Review');
  await person.fills('Message', act.message);
  await person.fills('Expires after (days)', String(act.timeToLive));
  await untick(context, 'receivers', 'To', []);
  const names = act.files.map((file) => file.name);
  await untick(context, 'tray', 'Files ready to send', act.by === 'form' ? [] : names);
  for (const { email } of act.to) await person.picks('To', email);
  if (act.by === 'form') await person.attaches(/More files/.test(person.screen()) ? 'More files' : 'Files', act.files);
  await submit(person, 'Review', /can't be recalled/);
  // The review must show exactly what was entered.
  for (const words of [...names, ...act.to.flatMap(({ email, number }) => [email, number])]) await sees(person, words);
  const label = `Send ${countOf(act.files.length, 'file', 'files')} to ${countOf(act.to.length, 'person', 'people')}`;
  await confirm(context, label, act.isClickedTwice, /It is on its way|was confirmed before/);
  await person.closes();
  if (act.isCancelled) await cancel(person, `Cancel sending ${names[0]}`);
}

/** Opens the form with the files of this act in it, or with a field to attach them. */
async function openSendForm({ person }: ActContext, act: Send): Promise<void> {
  switch (act.by) {
    case 'form':
      return command(person, '/drop send');
    case 'tray':
      if (!hasMessage(person, `(file: ${act.files[0]?.name})`)) await person.shares(act.files, { in: 'Dropline' });
      await sees(person, new RegExp(`Put aside:.*${act.files[0]?.name}`), 6_000);
      return command(person, '/drop send');
    case 'shortcut': {
      const text = `Files of ${act.id}`;
      if (!hasMessage(person, text)) await person.shares(act.files, { in: '#general', text });
      await person.opens('#general');
      await person.usesShortcut('Send securely', { on: text });
    }
  }
}

const hasMessage = (person: Person, words: string) => person.messages.some(({ text }) => text.includes(words));

/** Removes selections that an earlier attempt left in the field. */
async function untick({ workspace, person }: ActContext, block: string, label: string, keep: readonly string[]) {
  const view = workspace.views.find(({ id }) => id === person.client.modals.at(-1));
  const selected = (view?.values[block]?.[block]?.selected_options ?? []) as { text: { text: string } }[];
  for (const { text } of selected) {
    if (!keep.some((name) => text.text.startsWith(name))) await person.unpicks(label, text.text);
  }
}

async function cancel(person: Person, label: string): Promise<void> {
  await person.opens('Dropline');
  await person.clicks(label);
  await person.confirms('Cancel transfer');
}

export async function request(context: ActContext, act: Request): Promise<void> {
  const { person } = context;
  await command(person, '/drop request');
  await sees(person, 'Review');
  for (const { email } of act.to) await person.picks('Request from', email);
  await person.fills('Expires after (in days)', String(act.timeToLive));
  await person.fills('Message', act.message);
  await submit(person, 'Review', /can upload files to your inbox/);
  for (const { email, number } of act.to) {
    await sees(person, `${email}, ${number}`);
  }
  const label = `Request from ${countOf(act.to.length, 'person', 'people')}`;
  await confirm(context, label, act.isClickedTwice, /Sending the request|was asked before/);
}
