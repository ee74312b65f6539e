import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { DroplineError, type ErrorLink } from '../lib/errors.ts';
import { accountKey } from '../store/index.ts';
import { type Blocks, line, linkBlocks } from './blocks.ts';
import { stamped } from './desk-key.ts';
import { withFieldIds } from './field-ids.ts';
import { contentOf, post } from './messages.ts';
import { isRefused, retryAfterMs } from './platform-errors.ts';
import { formWithError } from './rebuilt-form.ts';
import type { Response } from './respond.ts';
import { loadingView } from './views.ts';
import { count } from './words.ts';

/** One action of a person in Slack, and the ways to answer it. */
export interface Interaction {
  /**
   * The reference is shown to the person if something fails unexpectedly. The audit entry and the log have it too. The
   * account is only set where a workspace has several.
   */
  actor: { workspace: string; account?: string | undefined; person: string; reference: string };
  /** The key of the account that the modal carries, or the chosen option names. */
  desk: string | undefined;
  /** The bot's client with retries, for calls without a trigger. */
  client: WebClient;
  /** The channel of the clicked message, the typed command or the message of a shortcut. */
  channel: string | undefined;
  /** The clicked message. `threadTs`: the first message of its thread. */
  message: { channel: string; ts: string; threadTs?: string } | undefined;
  /** The modal that was clicked in or submitted. */
  view: ViewOutput | undefined;
  /** The view with the key of the account, for what is shown without `update`. */
  stamped(view: ModalView): ModalView;
  /**
   * Opens a modal that only says “One moment…”, or shows that in the one that the person is in. Nothing else opens a
   * modal: Slack accepts a trigger for three seconds, which the database or Slack itself can take.
   */
  openLoading(title: string): Promise<void>;
  /** Like `openLoading`, on top of the modal that the person is in. Does nothing if that one was closed. */
  pushLoading(title: string): Promise<void>;
  /** Replaces the content of the modal that the person is in. Resolves with false if it was closed. */
  update(view: ModalView): Promise<boolean>;
  /** The modal as it was last shown. Its hash changes with every update, even one by another process. */
  shownView(): { id: string; hash: string } | undefined;
  /** Call after answering Slack with a view that replaces the form; `update` then waits until Slack shows it. */
  markReplaced(): void;
  /** Resolves when Slack should have replaced the form. */
  whenReplaced(): Promise<void>;
  /** Call when the submitted form has its answer. Later errors aren't shown in the form. */
  markAnswered(): void;
  /** Answers only this person: where they clicked or typed, if possible, otherwise in a direct message. */
  reply(text: string, blocks?: Blocks): Promise<void>;
  /** Deletes the clicked message, if only this person sees it. */
  dismiss(): Promise<void>;
  /** Sends a direct message. */
  write(text: string, blocks?: Blocks): Promise<{ channel: string; ts: string }>;
  /** Shows an error message at the top of the modal; without a modal, like `reply`. */
  showError(message: string, link?: ErrorLink): Promise<void>;
}

export interface InteractionOptions {
  actor: Interaction['actor'];
  /** See `Clients`. */
  triggers: WebClient;
  retrying: WebClient;
  trigger?: string;
  channel?: string;
  message?: Interaction['message'];
  view?: ViewOutput;
  desk?: string;
  respond?: (response: Response) => Promise<void>;
  /** Whether only this person sees the clicked message. Slack removes it on a reload. */
  isEphemeral?: boolean;
  /** Called if Slack refuses an answer, which is then sent as a direct message, or refuses to delete a message. */
  onAnswerRefused(error: unknown): void;
}

/**
 * Delay between an answer that replaces a form and the next update of the view. They use different connections: without
 * a delay, Slack could process the update first and then replace it with the older view.
 */
const replaceDelayMs = 500;

export function createInteraction(options: InteractionOptions): Interaction {
  const { actor, desk, retrying, channel, message, respond, isEphemeral, onAnswerRefused } = options;
  // The account can be found after the interaction was created, and an option can choose another one.
  const stamp = (view: ModalView) =>
    stamped(view, actor.account === undefined ? interaction.desk : accountKey(actor.account));
  const modal = createModal(options, stamp);

  /** Answers at the response_url. Resolves with false if that isn't possible. */
  async function answer(text: string, blocks?: Blocks): Promise<boolean> {
    if (respond === undefined) return false;
    try {
      await respond({ ...contentOf(text, blocks), replace_original: false, response_type: 'ephemeral' });
      return true;
    } catch (error) {
      onAnswerRefused(error);
      return false;
    }
  }

  const write = (text: string, blocks?: Blocks) => post(retrying, actor.person, contentOf(text, blocks));

  const interaction: Interaction = {
    actor,
    desk,
    stamped: stamp,
    client: retrying,
    channel,
    message,
    ...modal,
    async reply(text, blocks) {
      if (!(await answer(text, blocks))) await write(text, blocks);
    },
    async dismiss() {
      if (isEphemeral === true) await respond?.({ delete_original: true }).catch(onAnswerRefused);
    },
    write,
    async showError(text, link) {
      const blocks = [line(`⚠️ ${text}`), ...linkBlocks(link)];
      if (await modal.showError(text, blocks, link).catch(() => false)) return;
      const isAnswered = await answer(`⚠️ ${text}`, blocks);
      // An ephemeral message disappears, so it is never the only copy of a result.
      if (!isAnswered || isEphemeral === true) await write(`⚠️ ${text}`, blocks);
    },
  };
  return interaction;
}

/**
 * What the modal shows. `form`: the form that was clicked in or submitted, in which Slack keeps what is typed.
 * `replaced`: another view, but an error brings the form back. `other`: a view after which errors don't, or no modal.
 */
type Shown = 'form' | 'replaced' | 'other';

/** The modal that the person is in, or that is opened for them. */
function createModal({ triggers, retrying, trigger, view }: InteractionOptions, stamp: (view: ModalView) => ModalView) {
  const form = view?.type === 'modal' ? view : undefined;
  let shown: Shown = form === undefined ? 'other' : 'form';
  let id = form?.id;
  let hash: string | undefined;
  let whenReplaced = Promise.resolve();

  const show = async (content: ModalView): Promise<boolean> => {
    await whenReplaced;
    if (id === undefined) throw new Error('no modal to update');
    hash = await updateView(retrying, { id }, stamp(content));
    return hash !== undefined;
  };

  const update = (content: ModalView): Promise<boolean> => {
    const shownForm = shown === 'form' ? form : undefined;
    leaveForm();
    return show(withFieldIds(content, shownForm));
  };

  function leaveForm(): void {
    if (shown === 'form') shown = 'replaced';
  }

  const loadingWithTrigger = (title: string) => {
    if (trigger === undefined) throw new Error('no trigger to open a modal with');
    return { trigger_id: trigger, view: loadingView(title) };
  };

  return {
    view: form,
    async openLoading(title: string): Promise<void> {
      if (id !== undefined) return void (await update(loadingView(title)));
      const { view: opened } = await triggers.views.open(loadingWithTrigger(title)).catch(throwIfLimited);
      id = opened?.id;
      hash = opened?.hash;
    },
    async pushLoading(title: string): Promise<void> {
      const pushing = triggers.views.push(loadingWithTrigger(title)).catch(throwIfLimited);
      const pushed = await pushing.catch((error: unknown) => {
        if (!isRefused(error, 'no-view')) throw error;
        return undefined;
      });
      // If the form was closed, its id stays: later updates find nothing to update, and errors are sent as a message.
      id = pushed?.view?.id ?? id;
      // The form is below the new modal now, so errors go into the new one.
      shown = 'other';
    },
    update,
    shownView: () => (id === undefined || hash === undefined ? undefined : { id, hash }),
    markReplaced() {
      whenReplaced = sleep(replaceDelayMs);
      leaveForm();
    },
    whenReplaced: () => whenReplaced,
    markAnswered() {
      shown = 'other';
    },
    /** Resolves with false if there is no modal to show it in. */
    async showError(text: string, blocks: Blocks, link: ErrorLink | undefined): Promise<boolean> {
      if (id === undefined) return false;
      if (form === undefined || shown === 'other' || link !== undefined)
        return show({ ...loadingView('Dropline'), blocks });
      const formAgain = formWithError(form, text);
      return show(shown === 'form' ? formAgain : withFieldIds(formAgain));
    },
  };
}

/** The trigger would expire during the wait, so the person has to try again. */
function throwIfLimited(error: unknown): never {
  const waitMs = retryAfterMs(error);
  if (waitMs === undefined) throw error;
  const message = `Slack limits how often I can open forms. Try again in ${count(waitMs / 1_000, 'second')}.`;
  throw new DroplineError('busy', message, { cause: error });
}

/**
 * Updates a modal, if it is still open. With a hash, only if nothing has changed it since. Resolves with the new hash,
 * or with undefined if the modal wasn't updated.
 */
export async function updateView(
  client: WebClient,
  { id, hash }: { id: string; hash?: string },
  view: ModalView,
): Promise<string | undefined> {
  try {
    const updated = await client.views.update({ view_id: id, hash, view });
    return updated.view?.hash ?? '';
  } catch (error) {
    if (isRefused(error, 'no-view', 'changed-view')) return undefined;
    throw error;
  }
}

/** Opens a loading view at once, and replaces it with the content. All that takes time belongs into `prepare`. */
export async function openWhenReady(
  interaction: Interaction,
  title: string,
  prepare: () => Promise<ModalView>,
): Promise<void> {
  await interaction.openLoading(title);
  await interaction.update(await prepare());
}

/** Like `openWhenReady`, on top of the modal that the person is in. */
export async function pushWhenReady(
  interaction: Interaction,
  title: string,
  prepare: () => Promise<ModalView>,
): Promise<void> {
  await interaction.pushLoading(title);
  await interaction.update(await prepare());
}

/** `pushWhenReady` in a modal, so that Back or Cancel returns to that; otherwise `openWhenReady`. */
export const openOrPushWhenReady: typeof openWhenReady = (interaction, ...view) =>
  interaction.view === undefined ? openWhenReady(interaction, ...view) : pushWhenReady(interaction, ...view);
