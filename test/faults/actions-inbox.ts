import { type ActionContext, command, sees } from './action-context.ts';
import type { Fetch } from './plan.ts';

/** Downloads an announced file. */
export async function fetchFile({ person, result }: ActionContext, { file, isClickedTwice }: Fetch): Promise<void> {
  await person.opens('#inbox');
  await sees(person, file).catch(() => {});
  // If the channel does not show the file exactly once, use the list. Replies are posted only to the requester, and
  // posts can be repeated.
  if (person.screen().split(file).length !== 2) await command(person, '/drop inbox');
  const label = `Download ${file}`;
  await sees(person, file);
  result.progress = 'submitted';
  await Promise.all([person.clicks(label), ...(isClickedTwice ? [person.clicks(label)] : [])]);
  await sees(person, `Downloading “${file}”`);
  result.progress = 'accepted';
}
