import { command, type Hand, sees } from './hand.ts';
import type { Fetch } from './plan.ts';

/** Downloads an announced file. */
export async function fetchFile({ person, done }: Hand, { file, isClickedTwice }: Fetch): Promise<void> {
  await person.opens('#inbox');
  await sees(person, file).catch(() => {});
  // A reply is posted only to the person who asked, and a post can be repeated; the list has every file once.
  if (person.screen().split(file).length !== 2) await command(person, '/drop inbox');
  const label = `Download ${file}`;
  await sees(person, file);
  done.came = 'handed over';
  await Promise.all([person.clicks(label), ...(isClickedTwice ? [person.clicks(label)] : [])]);
  await sees(person, `Fetching “${file}”`);
  done.came = 'accepted';
}
