import type { Phrase } from '../common/services.ts';
import { approvalOf, hasRules } from './approval.ts';
import { differing } from './changes.ts';
import { channelFor, type Delivery, type InboxChannel } from './inbox-channels.ts';
import { isExtensionAllowed } from './permission.ts';
import type { Settings } from './repository.ts';
import { definitions, type SettingName } from './table/definitions.ts';
import { added, named, people, raised, when } from './table/phrases.ts';

/** What more a change lets people do, see or send, and which admins it removes. */
export function weakenings(before: Settings, after: Settings): Phrase[] {
  // Rules can't be weaker while every transfer needs approval.
  const isMoot = (name: SettingName) => rules.has(name) && after.approvalRules.includes('every');
  return [
    ...weakerApproval(before, after),
    ...differing(before, after).flatMap((name) =>
      isMoot(name) ? [] : definitions[name].weakens(before[name], after[name]),
    ),
    ...weakerFileTypes(before, after),
    ...weakerExpiry(before, after),
    ...widerDelivery(before.delivery, after.delivery),
    ...after.inboxChannels.flatMap((one) => inChannel(one, before, after)),
  ];
}

const rules = new Set<SettingName>([
  'approvalDomains',
  'approvalRecipients',
  'approvalMb',
  'approvalTypes',
  'approvalSenders',
]);

const off = 'turned off approval for ';

function weakerApproval(before: Settings, after: Settings): Phrase[] {
  const isGone = (rule: Settings['approvalRules'][number]) =>
    before.approvalRules.includes(rule) && !after.approvalRules.includes(rule);
  return [
    ...when(isGone('every'), `${off}all transfers`),
    ...when(isGone('newRecipients') && !after.approvalRules.includes('every'), `${off}new recipients`),
    // Approvers have no part before there are rules.
    ...(hasRules(approvalOf(before))
      ? [...when(isGone('requests'), `${off}file requests`), ...moreApprovers(before, after)]
      : []),
  ];
}

function moreApprovers(before: Settings, after: Settings): Phrase[] {
  const { approvalDays: days } = after;
  return [
    ...added(before.approvers, after.approvers, (ids) => ['let ', ...people(ids), ' approve transfers']),
    ...when(days > before.approvalDays, `made an approval valid for ${days} days`),
  ];
}

function weakerFileTypes(before: Settings, after: Settings): Phrase[] {
  const isNew = (extension: string) => isExtensionAllowed(after, extension) && !isExtensionAllowed(before, extension);
  // No rule can name the empty extension, so it stands for all that a rule doesn't name.
  if (!isNew(''))
    return added([], [...new Set([...before.extensions, ...after.extensions])].filter(isNew), (types) => [
      'allowed files of type ',
      ...named(types),
    ]);
  const except: Phrase = after.fileTypes === 'any' ? [] : [' except ', ...named(after.extensions)];
  return [['allowed all file types', ...except]];
}

function weakerExpiry({ expiryLongest: before }: Settings, { expiryLongest: after, expiryUnit }: Settings): Phrase[] {
  const unit = expiryUnit === 'own' ? '' : ` ${expiryUnit}`;
  return raised('removed the maximum expiry', (time) => `raised the maximum expiry to ${time}${unit}`)(before, after);
}

/** From one person to all members of a channel. */
const deliveryWidths: Record<Delivery, [width: number, text: string]> = {
  private: [0, 'direct messages'],
  link: [1, 'links'],
  thread: [2, 'threads in channels'],
};

function widerDelivery(before: Delivery, after: Delivery, where: Phrase = []): Phrase[] {
  const [[width], [widthAfter, text]] = [deliveryWidths[before], deliveryWidths[after]];
  return when(widthAfter > width, 'changed the delivery of downloads', ...where, ` to ${text}`);
}

/** A change can move senders to many channels, so that the notice names few of each, and not in full. */
const sendersNamed = 3;
const senderChars = 60;
const shortened = (sender: string) => (sender.length > senderChars ? `${sender.slice(0, senderChars - 1)}…` : sender);

/** What a change lets the members of an inbox channel see. Another channel has other members. */
function inChannel(
  { channel, everythingElse, delivery }: InboxChannel,
  before: Pick<Settings, 'inboxChannels' | 'delivery'>,
  after: Pick<Settings, 'inboxChannels'>,
): Phrase[] {
  const earlier = before.inboxChannels.find((one) => one.channel === channel);
  const isFor = (settings: Pick<Settings, 'inboxChannels'>, sender: string) =>
    channelFor(settings, sender)?.channel === channel;
  const senders = [before, after].flatMap(({ inboxChannels }) => inboxChannels.flatMap((one) => one.senders));
  const moved = [...new Set(senders)].filter((sender) => isFor(after, sender) && !isFor(before, sender));
  const isElseNew = everythingElse && earlier?.everythingElse !== true;
  return [
    ...when(isElseNew, 'chose ', { channel }, ' for new files'),
    ...when(
      moved.length > 0,
      'chose ',
      { channel },
      ' for new files from ',
      ...named(moved.map(shortened), sendersNamed),
    ),
    ...widerDelivery(earlier?.delivery ?? before.delivery, delivery, [' in ', { channel }]),
  ];
}
