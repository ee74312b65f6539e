import type { Person, Upload } from '../../src/sandbox/slack/index.ts';

/** Shares files with the bot, which stages them. */
export async function stages(person: Person, files: readonly Upload[]): Promise<void> {
  await person.opens('Dropline');
  await person.shares(files, { in: 'Dropline' });
  // The button shows the number of staged files, so wait until it includes all of them.
  await person.sees(`Send ${files.length === 1 ? '1 file' : `${files.length} files`}…`);
}

/** Fills in the send form with staged or attached files and opens the review. */
export async function reviews(
  person: Person,
  {
    to = 'carl',
    attached = [],
    field = 'Files',
  }: { to?: string; attached?: readonly Upload[]; field?: 'Files' | 'More files' } = {},
): Promise<void> {
  await person.types('/drop send', { in: 'Dropline' });
  await person.picks('To', to);
  if (attached.length > 0) await person.attaches(field, attached);
  await person.submits('Review');
  await person.sees("can't be recalled");
}

/** Confirms the review and closes the modal. */
export async function confirms(person: Person, files: number): Promise<void> {
  await person.submits(`Send ${files === 1 ? '1 file' : `${files} files`} to 1 person`);
  await person.sees("I'll update you in our direct messages.");
  await person.closes();
}
