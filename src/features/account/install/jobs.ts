import { handlerOf, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { actions, button, line } from '../../../slack/blocks.ts';
import type { Installations } from '../../../slack/installations.ts';
import { type Content, contentOf, isUnreachable, post } from '../../../slack/messages.ts';
import { missingScopeBlocks, missingScopes, missingScopeText } from '../../../slack/scopes.ts';
import { installLink } from '../../common/delivery/share.ts';
import type { Actor } from '../../common/services.ts';
import { markWelcomed } from '../../home/notify.ts';
import { greeting } from '../../home/views.ts';
import { rightsOf } from '../../settings/permission.ts';
import type { TransferSlackServices } from '../../transfers/shown-kind.ts';
import { removeConnectButtons, storeConnectMessage } from './notify.ts';

const welcomeKind = jobKind('welcome', ['workspace', 'person']);

type Installation = Parameters<Installations['add']>[0];

/** Stores an installation, and queues a message that tells the installer the next step, both or neither. */
export function storeAndWelcome(services: TransferSlackServices, installation: Installation): Promise<void> {
  const { team, user } = installation;
  const installer = { workspace: team?.id ?? '', person: user.id };
  return services.slack.installations.add(installation, async (within) => {
    // Before the message, so that opening the app doesn't send the general welcome too.
    await markWelcomed(services, installer, within);
    const key = `welcome ${installer.workspace} ${installer.person}`;
    await services.queue.add(welcomeKind, installer, { key, within });
  });
}

export function welcomeJob(services: TransferSlackServices): JobHandler {
  return handlerOf<{ workspace: string; person: string }>({
    kind: welcomeKind,
    async run(actor, { step }) {
      const client = await services.slack.clientOf(actor.workspace);
      const { content, hasButton } = await nextStep(services, actor);
      const posted = await step('notify', async () => {
        try {
          return { ...(await post(client, actor.person, content)), hasButton };
        } catch (error) {
          if (!isUnreachable(error)) throw error;
          return null;
        }
      });
      // Null: the message couldn't be delivered.
      if (posted === null || !posted.hasButton) return;
      await storeConnectMessage(services, actor.workspace, posted);
      // The workspace could have been connected in the meantime.
      if ((await services.store.credentials.list(actor.workspace)).size > 0)
        await removeConnectButtons(services, actor.workspace);
    },
    async giveUp(actor, error) {
      services.log.warn({ ...actor, operation: 'install', err: error }, 'installer not notified');
    },
  });
}

/** What to do next, and what doesn't work because Slack didn't grant a permission. */
async function nextStep(
  services: TransferSlackServices,
  actor: Actor,
): Promise<{ content: Content; hasButton: boolean }> {
  const { workspace } = actor;
  const missing = missingScopes((await services.slack.botOf(workspace))?.scopes);
  const step = (texts: readonly string[], hasButton = false) => {
    const blocks = [
      ...texts.map((text) => line(text)),
      ...(hasButton ? [actions(button('Connect', 'connect.open', { style: 'primary' }))] : []),
      ...missingScopeBlocks(missing, installLink(services)),
    ];
    return { content: contentOf([...texts, ...missingScopeText(missing)].join(' '), blocks), hasButton };
  };
  // Without it, no one can connect, and whether the installer is an admin isn't known.
  if (missing.includes('users:read')) return step([]);
  if ((await services.store.credentials.list(workspace)).size > 0)
    return step(missing.length > 0 ? [] : ["Dropline's permissions are up to date. There's nothing else to do."]);
  if (!(await rightsOf(services, actor)).isAdmin)
    return step([greeting, 'Next step: ask a workspace admin to type /drop connect.']);
  return step([greeting, 'Next step: connect your file service. You need its URL, an account and an API key.'], true);
}
