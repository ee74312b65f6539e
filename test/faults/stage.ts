import { connect } from '../../src/features/account/connect/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import { apiKey } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import type { Lane } from './lane.ts';
import type { Plan } from './plan.ts';

/** Creates workspaces with people, connected to their accounts and with a channel for new files. */
export async function setTheStage(lane: Lane, plan: Plan): Promise<Workspace[]> {
  const { exchange, slack, services } = lane;
  Object.assign(exchange.behaviour, plan.service);
  for (const { name, contacts } of plan.accounts) {
    exchange.addAccount({ user: name, apiKey }).contacts.local = contacts.map((contact) => ({ ...contact }));
  }
  return Promise.all(
    plan.workspaces.map(async ({ name, account, people }) => {
      const workspace = slack.addWorkspace({ name });
      const everybody = people.map((person, index) =>
        workspace.addPerson({ name: person.name, role: index === 0 ? 'owner' : 'member' }),
      );
      const [owner] = everybody;
      if (owner === undefined) throw new Error('nobody is there');
      await lane.install(workspace, owner);
      workspace.addChannel({ name: 'general', members: [...everybody, 'app'] });
      const inbox = workspace.addChannel({ name: 'inbox', members: [...everybody, 'app'] });
      const admin = { workspace: workspace.id, person: owner.id };
      const login = { baseUrl: exchange.url, username: account, apiKey };
      await connect(services, admin, { ...login, inboxChannel: inbox.id, ttl: { unit: 'days', usual: 7 } });
      await changeSettings(services, admin, { requests: true });
      await until(
        () => inbox.messages.find(({ text }) => text.startsWith('Incoming files')),
        `the first post in ${name}`,
      );
      return workspace;
    }),
  );
}
