import { z } from 'zod';
import { line } from '../../../slack/blocks.ts';
import { isDirect } from '../../../slack/channels.ts';
import { defineCollection, type Store } from '../../../store/index.ts';
import { type Message, NoChannelError, type Posting, type PostProblem } from './posting.ts';

/** The reported problem of a channel. It isn't reported again until a post in the channel has succeeded. */
const reportedProblems = defineCollection('inbox-trouble', z.object({ trouble: z.string() }));
const reportedTtlMs = 90 * 86_400_000;

export interface ProblemReportsOptions {
  store: Store;
  posting: Posting;
  /** People to notify if the person who chose the channel can't be reached. */
  adminsOf(workspace: string): Promise<string[]>;
}

export function createProblemReports({ store, posting, adminsOf }: ProblemReportsOptions) {
  const collection = store.collection(reportedProblems);

  async function peopleToNotify(workspace: string, channel: string): Promise<Set<string>> {
    const chooser = await chooserOf(store, workspace, channel);
    return new Set([...(chooser === undefined ? [] : [chooser]), ...(await adminsOf(workspace))]);
  }

  async function tryToNotify(workspace: string, person: string, message: Message): Promise<boolean> {
    try {
      await posting.post(workspace, person, message);
      return true;
    } catch (error) {
      if (error instanceof NoChannelError) return false;
      throw error;
    }
  }

  return {
    async report(workspace: string, { channel, problem }: NoChannelError): Promise<void> {
      const before = await collection.get(workspace, channel);
      if (before?.trouble === problem) return;
      // For a direct message, the person to notify is the one who can't be reached.
      if (isDirect(channel)) return;
      const text = problemText(problem);
      const message = {
        text: `New files can't be posted in their channel. ${text} ${hint}`,
        blocks: [line("New files can't be posted in ", { channel }, `. ${text}`), line(hint)],
      };
      for (const person of await peopleToNotify(workspace, channel)) {
        if (!(await tryToNotify(workspace, person, message))) continue;
        await collection.set(workspace, { trouble: problem }, { name: channel, ttlMs: reportedTtlMs });
        return;
      }
    },
    async resolved(workspace: string, channel: string): Promise<void> {
      if (!isDirect(channel)) await collection.delete(workspace, channel);
    },
  };
}

const hint =
  "Nothing is lost. I'll post them once this is fixed or you choose another channel in /drop settings. Until then, see /drop inbox.";

function problemText(problem: PostProblem): string {
  switch (problem) {
    case 'is_archived':
      return 'The channel is archived.';
    case 'is_ext_shared':
      return "It's now shared with another organisation, whose members shouldn't see who sends you files.";
    case 'not_in_channel':
      return "I'm no longer in it. Type /invite @dropline there.";
    case 'channel_not_found':
      return "It was deleted, or it's private and I'm no longer in it. If it's private, type /invite @dropline there.";
    case 'ekm_access_denied':
      return 'A Slack admin has suspended posting there.';
    case 'team_access_not_granted':
      return "The app isn't approved in the channel's workspace. A Slack admin can approve it.";
    default:
      return 'Posting there is restricted. A channel manager can allow me to post.';
  }
}

const chosenChannels = z.object({ channels: z.array(z.string()) });

/** The person who last chose the channel, according to the audit log. */
async function chooserOf({ audit }: Store, workspace: string, channel: string): Promise<string | undefined> {
  const entries = await Promise.all(['settings', 'connect'].map((act) => audit.list(workspace, { act, limit: 50 })));
  const chosen = entries.flat().filter(({ outcome, details }) => {
    const { data } = chosenChannels.safeParse(details);
    return outcome === 'done' && data?.channels.includes(channel);
  });
  return chosen.sort((one, other) => other.number - one.number)[0]?.person;
}
