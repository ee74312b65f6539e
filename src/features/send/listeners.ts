import type { ModalView } from '@slack/types';
import { DroplineError, isDroplineError } from '../../errors.ts';
import type { Filled } from '../../slack/form.ts';
import type { Click, FormAnswer, Routes, ShortcutMessage } from '../../slack/routes.ts';
import { loadingView } from '../../slack/views.ts';
import { openWhenReady, type Visit } from '../../slack/visit.ts';
import { andList } from '../../slack/words.ts';
import { contactsOf } from '../contacts/operations.ts';
import { changeDraft, readDraft } from '../draft.ts';
import { lookAtFiles, removeFromTray } from '../files/operations.ts';
import { problemText } from '../files/views.ts';
import { ledgerOf } from '../outgoing/ledger.ts';
import { earlierChoice, tooManyText } from '../receivers/suggest.ts';
import { expectAllowed } from '../settings/permission.ts';
import { readSettings } from '../settings/stored.ts';
import type { UiServices } from '../ui-services.ts';
import { askAdmin } from './ask-admin.ts';
import { cardValue } from './card.ts';
import { keepEntered, offerToContinue, readForm, tellOfKept } from './form-draft.ts';
import {
  confirmDispatch,
  prepareAgain,
  prepareDispatch,
  removeForeignAndSend,
  type Summary,
  withdrawConfirmation,
} from './operations.ts';
import { cancelByClick, showCard } from './show-card.ts';
import { confirmMetadata, type Problem, sendMetadata, sendView, sentView, summaryView } from './views.ts';

export function sendRoutes(services: UiServices): Routes {
  return {
    commands: {
      send: {
        aliases: ['dispatch'],
        summary: 'sends files: whom, what, a summary to confirm, then a card with its progress',
        run: (visit) => openForm(services, visit),
      },
    },
    shortcuts: {
      'send.new': (visit) => openForm(services, visit),
      'send.message': (visit, message) => openWithMessage(services, visit, message),
    },
    forms: {
      'send.form': {
        submit: (visit, filled, metadata) => check(services, visit, filled, metadata),
        entered: (visit, filled, metadata, at) => keepEntered(services, visit, filled, metadata, at),
        closed: (visit) => tellOfKept(services, visit),
      },
      'send.confirm': {
        submit: (visit, _, metadata) => confirm(services, visit, metadata),
        after: (visit, id) => afterConfirming(services, visit, id),
        closed: (visit, metadata) => withdraw(services, visit, metadata),
      },
    },
    actions: {
      'send.open': (visit) => openForm(services, visit),
      'send.out': (visit, click) => takeOut(services, visit, click),
      'send.cancel': (visit, { value }) => cancelByClick(services, visit, idOf(value)),
      'send.again': (visit, click) => sendAgain(services, visit, click),
      'send.ask': (visit, { value }) => askAdmin(services, visit, idOf(value)),
      'send.remove': async (visit, { value }) => {
        const { id } = await removeForeignAndSend(services, visit.actor, idOf(value));
        await showCard(services, visit.actor.workspace, id);
        await visit.tell('The dispatch is on its way; those files are removed first. Its sender sees the progress.');
      },
    },
  };
}

async function openForm(services: UiServices, visit: Visit, message: MessageFiles = []): Promise<void> {
  await openWhenReady(visit, 'Send files', () => formOf(services, visit, message));
}

type MessageFiles = readonly { id: string; name: string | null }[];

/** With the files of a message, if it was asked for from there; else with what was put aside. */
async function formOf(services: UiServices, visit: Visit, message: MessageFiles): Promise<ModalView> {
  const { settings } = await expectAllowed(services, visit.actor, 'send');
  const draft = await readDraft(services, visit.actor);
  const extra = message.map(({ id }) => id);
  const found = await lookAtFiles(services, visit.actor.workspace, [...new Set([...extra, ...draft.tray])], draft);
  const offered = found.flatMap(({ id, file }) =>
    file === undefined ? [] : [{ id, name: file.name, size: file.size }],
  );
  const problems = found.flatMap(({ id, file, name, problem }): Problem[] => {
    if (file !== undefined) return [];
    const wanted = message.find((one) => one.id === id);
    const isUnseen = problem === undefined && wanted !== undefined;
    const text = isUnseen ? unseenText(wanted.name) : problemText({ name, problem });
    return [{ text, staged: draft.tray.includes(id) ? { id, name } : undefined }];
  });
  const lists = await contactsOf(services, visit.actor.workspace);
  const { options, tooMany } = earlierChoice(lists, draft);
  return sendView({
    receivers: options,
    offered,
    ticked: extra.length > 0 ? [...extra] : offered.map(({ id }) => id),
    message: draft.message ?? settings.message,
    timeToLive: draft.timeToLive ?? settings.ttl.usual,
    unit: settings.ttl.unit,
    extra,
    problems: [...(tooMany === 0 ? [] : [{ text: tooManyText(tooMany) }]), ...problems],
  });
}

/** In the open form, which keeps what was entered: its fields stay the same. */
async function takeOut(services: UiServices, visit: Visit, { value }: Click): Promise<void> {
  await removeFromTray(services, visit.actor, [value]);
  const { files } = sendMetadata.read(visit.view?.private_metadata) ?? { files: [] };
  await visit.open(
    await formOf(
      services,
      visit,
      files.map((id) => ({ id, name: null })),
    ),
  );
}

/** Slack says the same of a file that is gone and of one in a conversation that the bot is not in. */
function unseenText(name: string | null): string {
  const file = name === null ? 'A file of this message' : `“${name}”`;
  return `${file} was deleted, or is in a conversation that I am not in: share it with me in a direct message.`;
}

async function openWithMessage(
  services: UiServices,
  visit: Visit,
  message: ShortcutMessage | undefined,
): Promise<void> {
  const files = message?.files ?? [];
  if (files.length === 0) {
    await visit.open(loadingView('Send files'));
    throw new DroplineError('invalid', 'There is no file in this message.');
  }
  await openForm(services, visit, files.slice(0, 50));
}

/** The form becomes its summary; what was entered stays a draft until it is sent. */
async function check(services: UiServices, visit: Visit, filled: Filled, metadata: string): Promise<FormAnswer> {
  await expectAllowed(services, visit.actor, 'send');
  const wish = await readForm(services, visit, filled, metadata);
  const summary = await prepareDispatch(services, visit.actor, wish).catch((error: unknown) => {
    throw namedBy(filled.labels('tray'), error);
  });
  return { view: { ...(await summarise(services, visit, summary)), notify_on_close: true } };
}

/** Of a file that is gone or refused Slack tells no name; the form has it. */
function namedBy(labels: ReadonlyMap<string, string>, error: unknown): unknown {
  if (!isDroplineError(error, 'not-found', 'invalid') || error.field !== 'files') return error;
  const names = error.names.flatMap((id) => labels.get(id) ?? []);
  if (names.length === 0) return error;
  const sentence =
    error.code === 'not-found'
      ? `Not in Slack any more: ${andList(names)}. Take it out and check again.`
      : `${andList(names)}: ${error.message}`;
  return new DroplineError(error.code, sentence, { field: 'tray', names, cause: error });
}

async function summarise(services: UiServices, visit: Visit, summary: Summary) {
  const { ttl } = await readSettings(services, visit.actor.workspace);
  return summaryView(summary, ttl.unit);
}

async function confirm(services: UiServices, visit: Visit, metadata: string): Promise<FormAnswer> {
  const { confirmation } = confirmMetadata.read(metadata) ?? { confirmation: '' };
  const { id, ahead } = await confirmDispatch(services, visit.actor, confirmation);
  return { view: sentView(ahead), after: id };
}

/** Whoever closes the summary after its answer was lost has confirmed it all the same. */
async function withdraw(services: UiServices, visit: Visit, metadata: string): Promise<void> {
  const { confirmation } = confirmMetadata.read(metadata) ?? { confirmation: '' };
  if (await withdrawConfirmation(services, visit.actor, confirmation)) await offerToContinue(visit);
  else await afterConfirming(services, visit, confirmation);
}

/** What has been sent is no draft any more, and its card appears. */
async function afterConfirming(services: UiServices, visit: Visit, id: string): Promise<void> {
  const transfer = await ledgerOf(services.store).read(id);
  const { files = [], after } = transfer?.details ?? {};
  const used = new Set(files.map((file) => file.id));
  const form = visit.view === undefined ? [] : [visit.view.id];
  await changeDraft(services, visit.actor, ({ tray, sent, ...rest }) => ({
    tray: tray.filter((file) => !used.has(file)),
    sent: [...new Set([...sent, ...form])].slice(-mostSent),
    // What is tried again came from its card: what was begun since then is something else.
    ...(after === undefined ? blank : rest),
  }));
  await showCard(services, visit.actor.workspace, id);
}

const blank = { receivers: [], groups: [], message: undefined, timeToLive: undefined, form: undefined };

/** So many forms are remembered: what comes late is of the last few. */
const mostSent = 5;

async function sendAgain(services: UiServices, visit: Visit, { value }: Click): Promise<void> {
  const { id, without = [] } = cardValue.read(value) ?? { id: '' };
  await openWhenReady(visit, 'Check before sending', async () => {
    const { details } = (await ledgerOf(services.store).read(id)) ?? {};
    const names = (details?.files ?? []).flatMap(({ name }, index) => (without.includes(index) ? [name] : []));
    return summarise(services, visit, await prepareAgain(services, visit.actor, id, { without: names }));
  });
}

function idOf(value: string): string {
  const id = cardValue.read(value)?.id;
  if (id === undefined) throw new DroplineError('not-found', 'This button is too old to be used.');
  return id;
}
