import { command, type Hand, sees } from './hand.ts';
import type { Fetch } from './plan.ts';

/** Has a file that was announced fetched. */
export async function fetchFile({ person, done }: Hand, { file, isClickedTwice }: Fetch): Promise<void> {
  await person.opens('#inbox');
  await sees(person, file).catch(() => {});
  // What somebody asked for is posted to them alone, and a post may be there twice; the list has everything once.
  if (person.screen().split(file).length !== 2) await command(person, '/drop inbox');
  const label = `Download ${file}`;
  await sees(person, file);
  done.came = 'handed over';
  await Promise.all([person.clicks(label), ...(isClickedTwice ? [person.clicks(label)] : [])]);
  await sees(person, `Fetching “${file}”`);
  done.came = 'accepted';
}
