import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { choiceField, line } from '../../../slack/blocks.ts';
import type { Filled } from '../../../slack/form.ts';
import { codec } from '../../../slack/metadata.ts';
import { radioField } from '../../../slack/pickers.ts';
import { modal } from '../../../slack/views.ts';
import { hourText } from '../fields.ts';
import { type Digest, digestIntervals } from '../repository.ts';
import { unknownZone } from './errors.ts';
import { digestHash } from './operations.ts';

export const digestMetadata = codec(
  'digest settings form',
  z.object({ channel: z.string(), seen: z.string().optional() }),
);

const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** @param ownZone the time zone of the admin who opens the form */
export function digestForm(channel: string, digest: Digest | undefined, ownZone: string): ModalView {
  const zones = zonesFor(digest, ownZone);
  return modal(
    'Digest',
    [
      line('How should I post new files in ', { channel }, '?'),
      radioField(
        'digestEvery',
        'Post new files',
        [
          { label: 'Each item', value: 'each', description: 'A post as soon as files arrive.' },
          { label: 'Every 15 minutes', value: 'quarter', description: 'One post with everything that arrived.' },
          { label: 'Every hour', value: 'hour', description: 'One post with everything that arrived.' },
          { label: 'Once a day', value: 'day', description: 'One post with everything, at the time below.' },
        ],
        digest?.every ?? 'each',
        { hint: 'Nothing is posted if nothing arrived. Replies to a file request are always posted at once.' },
      ),
      choiceField(
        'digestHour',
        'Time of the daily digest',
        hours.map((hour) => [hourText(hour), String(hour)]),
        String(digest?.hour ?? 9),
      ),
      choiceField(
        'digestZone',
        'Time zone of the daily digest',
        zones.map((zone) => [zone === ownZone ? `${zone} (yours)` : zone, zone]),
        zones[0],
      ),
    ],
    {
      id: 'settings.digest',
      submit: 'Save',
      close: 'Cancel',
      metadata: digestMetadata.write({ channel, seen: digestHash(digest) }),
    },
  );
}

/** The stored zone first, so that another admin doesn't change it unintentionally. */
function zonesFor(digest: Digest | undefined, ownZone: string): string[] {
  return [...new Set([...(digest?.every === 'day' ? [digest.zone] : []), ownZone])];
}

/**
 * The digest that an admin entered; undefined for a post for each item. Fields that Slack didn't send stay as they are.
 */
export function readDigest(
  filled: Filled,
  stored: Digest | undefined,
  ownZone: string,
): Omit<Digest, 'channel'> | undefined {
  const chosen = filled.choice('digestEvery') ?? stored?.every;
  const every = digestIntervals.find((interval) => interval === chosen);
  if (every === undefined) return undefined;
  const hour = hours.find((candidate) => String(candidate) === filled.choice('digestHour')) ?? stored?.hour ?? 9;
  const zones = zonesFor(stored, ownZone);
  const zone = filled.choice('digestZone') ?? zones[0] ?? ownZone;
  if (!zones.includes(zone)) throw unknownZone();
  return { every, hour, zone };
}
