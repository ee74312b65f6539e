import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { FieldErrors } from '../../../lib/errors.ts';
import { choiceField, line, textField } from '../../../slack/blocks.ts';
import type { Filled } from '../../../slack/form.ts';
import { codec } from '../../../slack/metadata.ts';
import { channelField, inviteHint, readersHint } from '../../../slack/pickers.ts';
import { modal } from '../../../slack/views.ts';
import { deliveries, deliveryTexts, hourText, type InboxChannel, inboxChannelSchema } from '../inbox-channels.ts';
import { linksHint } from '../pages/form.ts';
import { domainPattern, wordsIn } from '../table/constructors.ts';
import { notASender, unknownZone } from './errors.ts';
import { guestsText } from './notify.ts';
import { channelHash } from './operations.ts';

/** `anyway`: the channel whose guests the form names. */
export const channelMetadata = codec(
  'inbox channel form',
  z.object({ replaces: z.string(), seen: z.string(), anyway: z.string() }).partial(),
);

interface FormOptions {
  /** The stored channel that the form changes; undefined to add one. */
  stored: InboxChannel | undefined;
  /** The time zone of the admin who opens the form. */
  ownZone: string;
  /** Whether there is a public URL for links. */
  hasLinks: boolean;
  /** How many guests the shown channel has, which the admin is asked about. */
  guests?: number;
}

/** The form that adds or changes an inbox channel. */
export function channelForm(shown: InboxChannel, { stored, ownZone, hasLinks, guests = 0 }: FormOptions): ModalView {
  return modal(
    stored === undefined ? 'Add inbox channel' : 'Change inbox channel',
    [
      ...(guests === 0 ? [] : [line('⚠️ ', { channel: shown.channel }, ` ${guestsText(guests)}.`)]),
      channelField('channel', 'Channel', shown.channel || undefined, { hint: `${readersHint} ${inviteHint}` }),
      textField('senders', 'Senders', {
        value: shown.senders.join('\n'),
        placeholder: 'example.org',
        hint: 'Email addresses and domains, one per line. Addresses override domains.',
        optional: true,
        multiline: true,
      }),
      choiceField(
        'everythingElse',
        'Everything else',
        onOrOff('Post here too', "Don't post here"),
        onOff(shown.everythingElse),
        {
          hint: 'Files of all senders that no inbox channel names.',
        },
      ),
      choiceField('posts', 'Post', postChoices(shown, ownZone), postsValue(shown), {
        hint: 'Replies to file requests are always posted at once.',
      }),
      choiceField('takeAndDone', 'Take and Done', onOrOff('On', 'Off'), onOff(shown.takeAndDone), {
        hint: 'Posts show who takes care of the files.',
      }),
      choiceField(
        'delivery',
        'Deliver downloads',
        deliveries.filter((way) => way !== 'link' || hasLinks).map((way) => [capitalized(deliveryTexts[way]), way]),
        shown.delivery,
        hasLinks ? {} : { hint: linksHint },
      ),
      choiceField(
        'reminderDays',
        'Remind about files that no one has downloaded',
        [
          ['Off', '0'],
          ['1 day before they expire', '1'],
          ['2 days before they expire', '2'],
        ],
        String(shown.reminderDays),
        { hint: 'Once, in the thread of their post. Only if the expiry unit is set under Expiry.' },
      ),
    ],
    {
      id: 'settings.channel',
      submit: guests > 0 ? 'Use it anyway' : stored === undefined ? 'Add' : 'Save',
      close: 'Cancel',
      metadata: channelMetadata.write({
        ...(stored !== undefined && { replaces: stored.channel, seen: channelHash(stored) }),
        ...(guests > 0 && { anyway: shown.channel }),
      }),
    },
  );
}

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const onOrOff = (on: string, off: string): [string, string][] => [
  [on, 'on'],
  [off, 'off'],
];
const onOff = (isOn: boolean) => (isOn ? 'on' : 'off');

const hours = Array.from({ length: 24 }, (_, hour) => hour);

type Posts = Pick<InboxChannel, 'posts' | 'hour' | 'zone'>;

const postsValue = ({ posts, hour, zone }: Posts) => (posts === 'day' ? `${hour} ${zone}` : posts);

/** Daily posts in the stored zone come first, so that another admin doesn't change it unintentionally. */
function postChoices(stored: Posts, ownZone: string): [label: string, value: string][] {
  const zones = new Set([...(stored.posts === 'day' ? [stored.zone] : []), ownZone]);
  return [
    ['Every item', 'each'],
    ['Every hour, if something arrived', 'hour'],
    ...[...zones].flatMap((zone) =>
      hours.map((hour): [string, string] => [
        `Daily at ${hourText(hour)} (${zone})`,
        postsValue({ posts: 'day', hour, zone }),
      ]),
    ),
  ];
}

function postsIn(value: string, stored: Posts, ownZone: string): Posts {
  if (!postChoices(stored, ownZone).some(([, choice]) => choice === value)) throw unknownZone();
  const { hour, zone } = stored;
  if (value === 'each' || value === 'hour') return { posts: value, hour, zone };
  const [chosenHour, chosenZone = zone] = value.split(' ');
  return { posts: 'day', hour: Number(chosenHour), zone: chosenZone };
}

/** What an admin entered. Fields that Slack didn't send, or that are invalid, stay as they were. */
export function readChannel(filled: Filled, before: InboxChannel, ownZone: string, errors: FieldErrors): InboxChannel {
  const { delivery, reminderDays } = inboxChannelSchema.shape;
  const chosen = <T>(name: keyof InboxChannel, stored: T, read: (value: string) => T): T => {
    const value = filled.choice(name);
    return value === undefined ? stored : (errors.check(() => read(value)) ?? stored);
  };
  const { senders } = before;
  const { posts, hour, zone } = chosen<Posts>('posts', before, (value) => postsIn(value, before, ownZone));
  return {
    channel: filled.channel('channel') ?? before.channel,
    senders: filled.has('senders') ? (errors.check(() => sendersIn(filled.text('senders'))) ?? senders) : senders,
    everythingElse: chosen('everythingElse', before.everythingElse, (value) => value === 'on'),
    posts,
    hour,
    zone,
    takeAndDone: chosen('takeAndDone', before.takeAndDone, (value) => value === 'on'),
    delivery: chosen('delivery', before.delivery, (value) => delivery.parse(value)),
    reminderDays: chosen('reminderDays', before.reminderDays, (value) => reminderDays.parse(Number(value))),
  };
}

/** The addresses and domains that were typed. */
const sendersIn = (text: string): string[] => wordsIn(text).map(expectSender);

function expectSender(typed: string): string {
  const [domain, address, ...rest] = typed.split('@').reverse();
  const isValid = domainPattern.test(domain ?? '') && address !== '' && rest.length === 0 && typed.length <= 254;
  if (isValid) return typed;
  throw notASender(typed);
}
