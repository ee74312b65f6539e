import { handlerOf, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { actions, button, line } from '../../../slack/blocks.ts';
import { type Content, contentOf, isUnreachable, post } from '../../../slack/messages.ts';
import type { Actor } from '../../common/services.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import { recordWelcome } from '../../home/notify.ts';
import { greeting } from '../../home/views.ts';
import { isAllowed } from '../../settings/permission.ts';
import { readSettings } from '../../settings/repository.ts';

const welcomeKind = jobKind('welcome', ['workspace', 'person']);

/** Queues a message that tells the installer the next step. */
export async function welcomeInstaller(services: SlackServices, { workspace, person }: Actor): Promise<void> {
  // Record this first, so that opening the app doesn't send the general welcome too.
  await recordWelcome(services, { workspace, person });
  await services.queue.add(welcomeKind, { workspace, person }, { key: `welcome ${workspace} ${person}` });
}

export function welcomeJob(services: SlackServices): JobHandler {
  return handlerOf<{ workspace: string; person: string }>({
    kind: welcomeKind,
    async run(actor, { step }) {
      const client = await services.slack.clientOf(actor.workspace);
      const content = await nextStep(services, actor);
      await step('told', async () => {
        await post(client, actor.person, content).catch((error: unknown) => {
          if (!isUnreachable(error)) throw error;
        });
      });
    },
    async giveUp(actor, error) {
      services.log.warn({ ...actor, operation: 'install', err: error }, 'installer not notified');
    },
  });
}

async function nextStep(services: SlackServices, actor: Actor): Promise<Content> {
  const { workspace, person } = actor;
  if ((await services.store.credentials.get(workspace)) !== undefined) {
    return contentOf("Dropline's permissions are up to date. There's nothing else to do.");
  }
  const settings = await readSettings(services, workspace);
  if (!isAllowed(settings, await services.people.roleOf(actor), person, 'admin')) {
    return contentOf(`${greeting} Next step: ask a workspace admin to type /drop connect.`);
  }
  const text = 'Next step: connect your file service. You need its URL, an account and an API key.';
  return contentOf(`${greeting} ${text}`, [
    line(greeting),
    line(text),
    actions(button('Connect', 'connect.open', { style: 'primary' })),
  ]);
}
