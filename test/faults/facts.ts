import type { Call as ServiceCall } from '../../src/sandbox/exchange/index.ts';
import type { Call as SlackCall } from '../../src/sandbox/slack/index.ts';
import type { Done } from './hand.ts';
import type { Lane } from './lane.ts';
import type { Contact, Plan } from './plan.ts';

/** An account as the service has it afterwards. */
export interface AccountFacts {
  name: string;
  drops: { files: { name: string; sha256: string }[]; receivers: Contact[]; message: string; ttl: number }[];
  /** Upload pages that contacts were given. */
  pages: { contact: Contact; message: string; ttl: number }[];
  contacts: Contact[];
  /** How many calls that send were answered with anything but `ok`, or not at all, by the kind of what they send. */
  unanswered: { dispatch: number; grant: number };
}

/** What a person can read and has got, in the conversation with the bot. */
export interface PersonFacts {
  name: string;
  messages: string[];
}

export interface WorkspaceFacts {
  name: string;
  account: string;
  people: PersonFacts[];
  /** Posts in #inbox. */
  inbox: string[];
  /** What the bot has put into Slack. */
  files: { name: string; sha256: string | undefined }[];
  /** Messages that Slack took and whose acceptance the bot never heard of. */
  unheardPosts: number;
  /** Calls of the bot that Slack refused although nothing was wrong with Slack. */
  refused: string[];
}

/** Everything that the checks compare. */
export interface Facts {
  plan: Plan;
  done: Done[];
  accounts: AccountFacts[];
  workspaces: WorkspaceFacts[];
  kills: number;
  outages: number;
}

export interface Since {
  serviceCalls: number;
  slackCalls: number;
}

export const since = ({ exchange, slack }: Lane): Since => ({
  serviceCalls: exchange.calls.length,
  slackCalls: slack.calls.length,
});

export function lookAround(lane: Lane, plan: Plan, done: Done[], begun: Since): Omit<Facts, 'kills' | 'outages'> {
  const serviceCalls = lane.exchange.calls.slice(begun.serviceCalls);
  const slackCalls = lane.slack.calls.slice(begun.slackCalls);
  return structuredClone({
    plan,
    done,
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
    unanswered: { dispatch: unanswered('createdrop'), grant: unanswered('givedrop') },
  };
}

/** What a bot may run into: a form that was closed, a trigger that has aged, a message that has gone. */
const usual = ['not_found', 'expired_trigger_id', 'exchanged_trigger_id', 'message_not_found', 'file_not_found'];

function workspaceFacts({ slack }: Lane, name: string, account: string, calls: readonly SlackCall[]): WorkspaceFacts {
  const workspace = slack.workspaces().find((one) => one.name === name);
  if (workspace === undefined) throw new Error(`there is no workspace ${name}`);
  const own = calls.filter(({ team }) => team === workspace.id);
  // What was not carried out has no workspace.
  const isUnheard = ({ method, outcome, status }: SlackCall) =>
    method === 'chat.postMessage' && outcome === 'struck' && status === 0;
  return {
    name,
    account,
    people: workspace.people.map(({ name: person, messages }) => ({
      name: person,
      messages: messages
        .filter(({ from, place }) => from === 'Dropline' && place === 'Dropline')
        .map(({ text }) => text),
    })),
    inbox: workspace.channel('inbox').messages.map(({ text }) => text),
    files: workspace.files
      .filter(({ userId }) => userId === workspace.installation?.botUserId)
      .map((file) => ({ name: file.title, sha256: file.sha256 })),
    unheardPosts: own.filter(isUnheard).length,
    refused: own
      .filter(({ outcome, error }) => outcome === 'answered' && error !== undefined && !usual.includes(error))
      .map((call) => `${call.method}: ${call.error} ${JSON.stringify(call.arguments).slice(0, 500)}`),
  };
}
