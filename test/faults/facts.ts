import type { Call as ServiceCall } from '../../src/sandbox/exchange/index.ts';
import type { Call as SlackCall } from '../../src/sandbox/slack/index.ts';
import type { ActionResult } from './action-context.ts';
import type { Decision } from './actions-approval.ts';
import type { ContactCardView } from './actions-contact-cards.ts';
import type { ItemBefore } from './actions-reminders.ts';
import type { Lane } from './lane.ts';
import type { Contact, Plan } from './plan.ts';

/** The final state of an account on the service. */
export interface AccountFacts {
  name: string;
  drops: { files: { name: string; sha256: string }[]; receivers: Contact[]; message: string; ttl: number }[];
  /** Upload pages given to contacts. */
  pages: { contact: Contact; message: string; ttl: number }[];
  contacts: Contact[];
  /** How many createdrop and givedrop calls got no `ok`, or no answer at all. */
  unanswered: { send: number; request: number };
}

/** What a person sees in the conversation with the bot. */
export interface PersonFacts {
  name: string;
  messages: string[];
}

export interface WorkspaceFacts {
  name: string;
  account: string;
  people: PersonFacts[];
  /** Messages in #inbox. */
  inbox: string[];
  /** Files that the bot uploaded to Slack. */
  files: { name: string; sha256: string | undefined }[];
  /** Messages that Slack accepted without the bot learning of it. */
  unconfirmedPosts: number;
  /** Calls of the bot that Slack itself, not a fault, answered with an unexpected error. */
  refused: string[];
}

/** Everything that the checks compare. */
export interface Facts {
  plan: Plan;
  results: ActionResult[];
  /** What approvers clicked. */
  decisions?: Decision[];
  /** The items before the last reminders, which are sent when no work is left. */
  itemsBefore?: ItemBefore[];
  cardViews?: ContactCardView[];
  accounts: AccountFacts[];
  workspaces: WorkspaceFacts[];
  kills: number;
  outages: number;
}

export interface CallCounts {
  serviceCalls: number;
  slackCalls: number;
}

export const countCalls = ({ exchange, slack }: Lane): CallCounts => ({
  serviceCalls: exchange.calls.length,
  slackCalls: slack.calls.length,
});

export function collectFacts(
  lane: Lane,
  plan: Plan,
  results: ActionResult[],
  callsBefore: CallCounts,
): Omit<Facts, 'kills' | 'outages'> {
  const serviceCalls = lane.exchange.calls.slice(callsBefore.serviceCalls);
  const slackCalls = lane.slack.calls.slice(callsBefore.slackCalls);
  return structuredClone({
    plan,
    results,
    accounts: plan.accounts.map(({ name }) => accountFacts(lane, name, serviceCalls)),
    workspaces: plan.workspaces.map(({ name, account }) => workspaceFacts(lane, name, account, slackCalls)),
  });
}

function accountFacts({ exchange }: Lane, name: string, calls: readonly ServiceCall[]): AccountFacts {
  const { drops, uploadPages, contacts } = exchange.account(name);
  const unanswered = (operation: ServiceCall['operation']) =>
    calls.filter((call) => call.user === name && call.operation === operation && call.outcome !== 'done').length;
  return {
    name,
    drops: drops
      .filter(({ type }) => type === 'downloadfiles')
      .map(({ files, receivers, message, ttl }) => ({
        files,
        receivers: receivers as unknown[] as Contact[],
        message,
        ttl,
      })),
    pages: uploadPages.map(({ contact, message, ttl }) => ({ contact: contact as unknown as Contact, message, ttl })),
    contacts: contacts.local as unknown[] as Contact[],
    unanswered: { send: unanswered('createdrop'), request: unanswered('givedrop') },
  };
}

/** Errors that a bot can expect: a closed form, an expired or used trigger, a deleted message or file, a newer Home. */
const expectedErrors = [
  'not_found',
  'expired_trigger_id',
  'exchanged_trigger_id',
  'message_not_found',
  'file_not_found',
  'hash_conflict',
];

function workspaceFacts({ slack }: Lane, name: string, account: string, calls: readonly SlackCall[]): WorkspaceFacts {
  const workspace = slack.workspaces().find((one) => one.name === name);
  if (workspace === undefined) throw new Error(`unknown workspace: ${name}`);
  const own = calls.filter(({ team }) => team === workspace.id);
  // A call that was not carried out has no workspace, so `own` doesn't include it.
  const isUnconfirmed = ({ method, outcome, status }: SlackCall) =>
    method === 'chat.postMessage' && outcome === 'fault' && status === 0;
  return {
    name,
    account,
    people: workspace.people.map(({ name: person, messages }) => ({
      name: person,
      messages: messages
        .filter(({ from, destination }) => from === 'Dropline' && destination === 'Dropline')
        .map(({ text }) => text),
    })),
    inbox: workspace.channel('inbox').messages.map(({ text }) => text),
    files: workspace.files
      .filter(({ userId }) => userId === workspace.installation?.botUserId)
      .map((file) => ({ name: file.title, sha256: file.sha256 })),
    unconfirmedPosts: own.filter(isUnconfirmed).length,
    refused: own
      .filter(({ outcome, error }) => outcome === 'answered' && error !== undefined && !expectedErrors.includes(error))
      .map((call) => `${call.method}: ${call.error} ${JSON.stringify(call.arguments).slice(0, 500)}`),
  };
}
