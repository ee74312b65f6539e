import { connect } from '../../src/features/account/connect/operations.ts';
import type { Actor } from '../../src/features/common/services.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import { policyWith, saveApproval } from '../features/approval.ts';
import { laterDigest } from '../helpers/digests.ts';
import { apiKey } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { changeInboxChannel, inboxChannel } from '../helpers/inbox-channels.ts';
import { pauserNames } from './actions-pause.ts';
import type { Lane } from './lane.ts';
import type { Plan } from './plan.ts';
import { boardName, mover, type PlannedChannels, watchers } from './plan-channels.ts';

/** 15 seconds, because a run ends only when no transfer waits for approval. */
const waitDays = 15 / 86_400;

/** Creates the accounts, and connected workspaces with their people and a channel for new files. */
export async function setUpPlan(lane: Lane, plan: Plan): Promise<Workspace[]> {
  const { exchange, slack, services } = lane;
  Object.assign(exchange.behaviour, plan.service);
  for (const { name, contacts } of plan.accounts) {
    exchange.addAccount({ user: name, apiKey }).contacts.local = contacts.map((contact) => ({ ...contact }));
  }
  return Promise.all(
    plan.workspaces.map(
      async ({ name, account, people, needsApproval = false, digest, pauses = [], hasWork = false, channels }) => {
        const workspace = slack.addWorkspace({ name });
        const members = people.map((person, index) =>
          workspace.addPerson({ name: person.name, role: index === 0 ? 'owner' : 'member' }),
        );
        for (const { target } of pauses) workspace.addPerson({ name: pauserNames[target], role: 'owner' });
        const [owner] = members;
        if (owner === undefined) throw new Error('the plan has no people');
        await lane.install(workspace, owner);
        workspace.addChannel({ name: 'general', members: [...members, 'app'] });
        const inbox = workspace.addChannel({ name: 'inbox', members: [...members, 'app'] });
        const admin = { workspace: workspace.id, person: owner.id };
        const login = { baseUrl: exchange.url, username: account, apiKey };
        await connect(services, admin, { ...login, inboxChannel: inbox.id, expiryUnit: 'days' });
        await changeSettings(services, admin, { requests: true });
        const approvers = members.map(({ id }) => id);
        const policy = policyWith({ every: needsApproval, requests: true, approvers, waitDays });
        if (needsApproval) await saveApproval(services, admin, policy);
        const posts = digest === undefined ? {} : { ...laterDigest(), posts: digest };
        await changeInboxChannel(services, admin, inbox.id, { takeAndDone: hasWork, ...posts });
        if (channels !== undefined) await addChannels(lane, workspace, admin, channels);
        await until(
          () => inbox.messages.find(({ text }) => text.startsWith('New files will be posted here')),
          `the first post in ${name}`,
        );
        return workspace;
      },
    ),
  );
}

async function addChannels(
  { services }: Lane,
  workspace: Workspace,
  admin: Actor,
  { inboxes, board, isDanLimited }: PlannedChannels,
): Promise<void> {
  for (const name of watchers) workspace.addPerson({ name });
  const boss = workspace.addPerson({ name: mover, role: 'owner' });
  const named = (names: string[]) => names.map((name) => workspace.person(name));
  workspace.addChannel({ name: boardName, kind: 'private', members: [...named(board), boss, 'app'] });
  const { inboxChannels } = await readSettings(services, admin);
  const added = inboxes.map(({ name, kind, sender, members, hasDigest, delivery }) => {
    const { id } = workspace.addChannel({ name, kind, members: [...named(members), 'app'] });
    return inboxChannel(id, { senders: [sender], delivery, ...(hasDigest && laterDigest()) });
  });
  await changeSettings(services, admin, {
    inboxChannels: [...inboxChannels, ...added],
    ...(isDanLimited && { downloaders: named(['Anna', 'Bo', 'Cleo', 'Eve']).map(({ id }) => id) }),
  });
}
