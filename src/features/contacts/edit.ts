import { DroplineError } from '../../errors.ts';
import { type Contact, type Exchange, isExchangeError } from '../../exchange/index.ts';
import type { Services } from '../services.ts';
import { readSettings, writeSettings } from '../settings/stored.ts';
import { type Change, type Diff, diffOf, isEmpty } from './diff.ts';
import { type Image, imagesOf } from './images.ts';
import { judge, type Verdict } from './judge.ts';
import { without } from './same.ts';

export interface Edit {
  id: string;
  workspace: string;
  person: string;
  change: Change;
}

export interface Edited {
  added: number;
  updated: number;
  removed: number;
  /** Addresses of contacts that were lost on the way and put back. */
  mended: string[];
  /** Addresses of contacts that look otherwise than before, though the edit was not about them. */
  altered: string[];
}

/**
 * Changes the local list and leaves all other contacts as they are, or puts them back. To be called under the contacts
 * lock of the account; `exchange` is fenced by it.
 */
export async function editContacts(services: Services, exchange: Exchange, edit: Edit): Promise<Edited> {
  const images = imagesOf(services.store);
  await settleOpen(services, exchange);
  const earlier = await images.ofEdit(edit.workspace, edit.id);
  // Whoever began this edit died after it was done.
  if (earlier?.outcome === 'done') return countsOf(earlier, { mended: [], altered: [] });

  const lists = await exchange.readContacts();
  const diff = diffOf(lists, edit.change);
  if (isEmpty(diff)) return { added: 0, updated: 0, removed: 0, mended: [], altered: [] };
  const { contactsOnlyAdd } = await readSettings(services, edit.workspace);
  if (contactsOnlyAdd) expectOnlyAdds(diff);
  const { id, workspace, person } = edit;
  const account = exchange.account;
  const image = await images.begin({ workspace, person, edit: id, account, before: lists.local, after: diff.after });
  const failure = await exchange.replaceContacts(contactsOnlyAdd ? diff.added : diff.after).then(
    () => undefined,
    (error: unknown) => error,
  );
  const settled = await settle(services, exchange, image);
  if (settled.outcome === 'done') return settled;
  if (!contactsOnlyAdd && isExchangeError(failure, 'refused', 'changed-format')) {
    throw new DroplineError(
      'only-adds',
      'The service refused the list, and nothing was changed. Some services only take contacts that they do not have yet: an admin can switch on “this service only adds” in the settings.',
      { cause: failure },
    );
  }
  throw (
    failure ?? new DroplineError('unknown', 'The service accepted the list but did not keep it; nothing was changed.')
  );
}

/** Finds out what became of every edit of this account that was broken off, and mends what it broke. */
export async function settleOpen(services: Services, exchange: Exchange): Promise<void> {
  for (const image of await imagesOf(services.store).open(exchange.account)) await settle(services, exchange, image);
}

const mostRounds = 4;

async function settle(
  services: Services,
  exchange: Exchange,
  image: Image,
): Promise<Edited & Pick<Verdict, 'outcome'>> {
  const mended = new Set<string>();
  for (let round = 0; round < mostRounds; round += 1) {
    const { local: now } = await exchange.readContacts();
    const { outcome, missing, altered } = judge(image.before, image.after, now);
    if (missing.length === 0) {
      const changed = { before: without(image.before, image.after), after: without(image.after, image.before) };
      await imagesOf(services.store).settle(image, outcome, changed);
      const emails = [...mended];
      if (emails.length + altered.length > 0) {
        await services.audience.alarm(image.workspace, {
          kind: 'contacts-mended',
          person: image.person,
          emails: [...emails, ...altered],
        });
      }
      return { ...countsOf({ ...image, ...changed }, { mended: emails, altered }), outcome };
    }
    for (const { email = '' } of missing) mended.add(email);
    await putBack(services, exchange, image, now, missing);
  }
  throw new DroplineError('unknown', 'Contacts are missing on the service and could not be put back yet.', {
    names: [...mended],
  });
}

/** Adds what is missing to whatever is there now. Nothing is removed, not even what nobody knows. */
async function putBack(
  services: Services,
  exchange: Exchange,
  { workspace }: Image,
  now: readonly Contact[],
  missing: readonly Contact[],
): Promise<void> {
  const { contactsOnlyAdd, ...settings } = await readSettings(services, workspace);
  try {
    await exchange.replaceContacts([...now, ...missing]);
    // A service that takes a whole list replaces: sending it only the new ones is what lost the others.
    if (contactsOnlyAdd) await writeSettings(services, workspace, { ...settings, contactsOnlyAdd: false });
  } catch (error) {
    if (!contactsOnlyAdd || !isExchangeError(error, 'refused', 'changed-format')) throw error;
    await exchange.replaceContacts(missing);
  }
}

function expectOnlyAdds({ updated, removed }: Diff): void {
  if (updated.length + removed.length === 0) return;
  const names = [...updated.map(({ from }) => from), ...removed].map(({ email = '' }) => email);
  throw new DroplineError(
    'only-adds',
    'This service only adds contacts (a setting): it can neither change nor remove one. Do that on the service itself.',
    { names },
  );
}

function countsOf(
  { before, after }: Pick<Image, 'before' | 'after'>,
  rest: Pick<Edited, 'mended' | 'altered'>,
): Edited {
  const updated = Math.min(before.length, after.length);
  return { added: after.length - updated, updated, removed: before.length - updated, ...rest };
}
