import type { Person } from '../../src/sandbox/slack/index.ts';
import { type ActionContext, attempts, command, sees, submit } from './action-context.ts';
import type { Fetch } from './plan.ts';

/** Downloads an announced file, alone or with all others in the list. */
export async function fetchFile(context: ActionContext, action: Fetch): Promise<void> {
  const { person, result } = context;
  const { file, isClickedTwice } = action;
  if (action.isAll === true && (await fetchAll(context, action))) return;
  await person.opens('#inbox');
  await sees(person, file).catch(() => {});
  // Use the list unless the channel shows the file exactly once. Files that were requested are posted only to the
  // requester, and posts can be repeated.
  if (person.screen().split(file).length !== 2) await command(person, `/drop inbox ${file}`);
  const label = `Download ${file}`;
  await sees(person, file);
  result.progress = 'submitted';
  const clickedAt = Date.now();
  await Promise.all([person.clicks(label), ...(isClickedTwice ? [person.clicks(label)] : [])]);
  await sees(person, `I'll send you “${file}”`);
  result.progress = 'accepted';
  result.accepted = { clickedAt, answeredAt: Date.now() };
}

/** Turns off the digest of #inbox, so that waiting items are posted. Gives up if faults stop every attempt. */
export async function endDigest(person: Person): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const isDone = await tryToEndDigest(person).then(
      () => true,
      () => false,
    );
    await person.reloads();
    if (isDone) return;
  }
}

async function tryToEndDigest(person: Person): Promise<void> {
  await command(person, '/drop settings');
  await sees(person, '[Change inbox channels]');
  await person.clicks('Change inbox channels');
  await sees(person, '· everything else');
  await person.clicks('Change channel for everything else');
  await sees(person, 'Senders');
  await person.picks('Post', 'Every item');
  await submit(person, 'Save', /Saved/);
}

const allLabel = 'Download all on this page';

/** Resolves with false if the list has no button to download everything, because it has too few items. */
async function fetchAll({ person, result }: ActionContext, { file, isClickedTwice }: Fetch): Promise<boolean> {
  // All files of this inbox channel: with those of others, there would be several pages.
  await command(person, `/drop inbox ${file.slice(0, file.indexOf('-in') + 3)}`);
  await sees(person, file);
  const hasButton = person.screen().includes(`[${allLabel}]`);
  if (!hasButton) {
    await person.closes();
    return false;
  }
  result.progress = 'submitted';
  const clickedAt = Date.now();
  await Promise.all([person.clicks(allLabel), ...(isClickedTwice ? [person.clicks(allLabel)] : [])]);
  await sees(person, /I'll send you|You've downloaded all|(is|are) in our direct messages|couldn't be downloaded/);
  result.progress = 'accepted';
  if (person.screen().includes("I'll send you")) result.accepted = { clickedAt, answeredAt: Date.now() };
  return true;
}
