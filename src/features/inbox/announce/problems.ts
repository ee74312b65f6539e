import { z } from 'zod';
import { isDirect } from '../../../lib/conversations.ts';
import { line } from '../../../slack/blocks.ts';
import { CannotPostError, type Message, type Posting, type PostProblem } from '../../../slack/posting.ts';
import { type AuditFields, type Desk, defineCollection, type Store } from '../../../store/index.ts';

/** The last reported problem of a channel. It is reported again only after a post there has succeeded, or 90 days. */
const reportedProblems = defineCollection('inbox-problem', z.object({ problem: z.string() }));
const reportedTtlMs = 90 * 86_400_000;

export interface ProblemReportsOptions {
  store: Store;
  posting: Posting;
  /** People to notify if the person who chose the channel can't be reached. */
  adminsOf(desk: Desk): Promise<string[]>;
}

export function createProblemReports({ store, posting, adminsOf }: ProblemReportsOptions) {
  const collection = store.collection(reportedProblems);

  async function peopleToNotify(desk: Desk, channel: string): Promise<Set<string>> {
    const chooser = await chooserOf(store, desk.workspace, channel);
    return new Set([...(chooser === undefined ? [] : [chooser]), ...(await adminsOf(desk))]);
  }

  async function tryToNotify(workspace: string, person: string, message: Message): Promise<boolean> {
    try {
      await posting.post(workspace, person, message);
      return true;
    } catch (error) {
      if (error instanceof CannotPostError) return false;
      throw error;
    }
  }

  return {
    async report(desk: Desk, { channel, problem }: CannotPostError): Promise<void> {
      const { workspace } = desk;
      const reported = await collection.get(workspace, channel);
      if (reported?.problem === problem) return;
      // For a direct message, the person to notify is the one who can't be reached.
      if (isDirect(channel)) return;
      const text = problemText(problem);
      const message = {
        text: `New files can't be posted in their channel. ${text} ${hint}`,
        blocks: [line("New files can't be posted in ", { channel }, `. ${text}`), line(hint)],
      };
      for (const person of await peopleToNotify(desk, channel)) {
        if (!(await tryToNotify(workspace, person, message))) continue;
        await collection.set(workspace, { problem: problem }, { name: channel, ttlMs: reportedTtlMs });
        return;
      }
    },
    async clear(workspace: string, channel: string): Promise<void> {
      if (!isDirect(channel)) await collection.delete(workspace, channel);
    },
  };
}

const hint =
  "Nothing is lost. I'll post them once this is fixed or you choose another channel in /drop settings. Until then, /drop inbox has them, unless the channel is private.";

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

/** The person who last chose the channel, according to the audit log. */
async function chooserOf({ audit }: Store, workspace: string, channel: string): Promise<string | undefined> {
  const entries = await Promise.all(
    ['settings', 'connect'].map((action) => audit.list(workspace, { action, limit: 50 })),
  );
  const chosen = entries.flat().filter(({ outcome, details = {} }) => {
    const { channels = [] }: AuditFields = details;
    return outcome === 'done' && channels.some((one) => 'channel' in one && one.channel === channel);
  });
  return chosen.sort((a, b) => b.number - a.number)[0]?.person;
}
