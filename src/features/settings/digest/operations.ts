import type { Actor, Services } from '../../common/services.ts';
import { digestText, hashOf, inboxChannels, validateSettings } from '../fields.ts';
import { rewrite } from '../operations.ts';
import type { Digest, Settings } from '../repository.ts';
import { channelNotUsed, digestChanged } from './errors.ts';

/** The digest of a channel; undefined if it gets a post for each item. */
export const digestOf = ({ digests }: Pick<Settings, 'digests'>, channel: string): Digest | undefined =>
  digests.find((digest) => digest.channel === channel);

/** Identifies a channel's digest, to find out whether it was changed while a form was open. */
export const digestHash = (digest: Digest | undefined): string => hashOf(digestText(digest));

/** Sets or removes a channel's digest. Throws if another admin changed it since `seen`. */
export function saveDigest(
  services: Services,
  admin: Actor,
  channel: string,
  digest: Omit<Digest, 'channel'> | undefined,
  seen?: string,
): Promise<Settings> {
  return rewrite(services, admin, (current) => {
    const before = digestOf(current, channel);
    const after = digest && { ...digest, channel };
    if (!inboxChannels(current).includes(channel)) throw channelNotUsed();
    if (seen !== undefined && digestHash(before) !== seen) throw digestChanged();
    const others = current.digests.filter((other) => other.channel !== channel);
    return validateSettings({ ...current, digests: after === undefined ? others : [...others, after] });
  });
}
