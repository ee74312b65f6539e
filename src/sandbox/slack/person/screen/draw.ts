import { renderMarkup, textOf } from '../../client/markup.ts';
import { channelTitle } from '../../client/names.ts';
import { canRead } from '../../client/surface.ts';
import type { Channel, Client, Message, Team, User, View } from '../../state/model.ts';
import { initialValues } from '../../state/values.ts';
import { topModal } from '../../state/views.ts';
import { channelOf, clientOf, type World } from '../../state/world.ts';
import { drawBlocks } from './blocks.ts';
import { createScreenBuilder, type Screen, type ScreenBuilder } from './screen.ts';

/** What this person sees: the confirmation dialog, the form, the conversation or the Home tab; then all notices. */
export function drawScreen(world: World, team: Team, user: User): Screen {
  const builder = createScreenBuilder();
  const client = clientOf(team, user.id);
  const modal = topModal(team, user.id);
  if (client.confirmation) drawConfirmation(builder, client.confirmation);
  else if (modal) drawModal(builder, team, modal);
  else drawDestination(builder, world, team, user, client);
  builder.startItem('notices');
  for (const notice of client.notices) builder.write(`⚠ ${notice}`);
  return { lines: builder.lines };
}

function drawConfirmation(
  builder: ScreenBuilder,
  { title, text, confirm, deny }: NonNullable<Client['confirmation']>,
): void {
  builder.startItem('confirmation');
  builder.write(title);
  builder.write(text);
  builder.write(`[${deny}] [${confirm}]`, [
    { kind: 'deny', label: deny },
    { kind: 'confirm', label: confirm },
  ]);
}

function drawModal(builder: ScreenBuilder, team: Team, view: View): void {
  builder.startItem(view.id);
  builder.write(`== ${textOf(team, view.body.title)} ==`);
  const surface = { kind: 'view', viewId: view.id } as const;
  drawBlocks(builder, { team, surface, values: view.values }, view.body.blocks, view.errors);
  builder.startBlock();
  const close = textOf(team, view.body.close) || 'Cancel';
  const submit = textOf(team, view.body.submit);
  builder.write(submit === '' ? `[${close}]` : `[${close}] [${submit}]`, [
    { kind: 'close', label: close },
    ...(submit === '' ? [] : [{ kind: 'submit', label: submit } as const]),
  ]);
}

function drawDestination(builder: ScreenBuilder, world: World, team: Team, user: User, { destination }: Client): void {
  builder.startItem('destination');
  if (!destination) builder.write('== nowhere ==');
  else if (destination.kind === 'home') drawHome(builder, world, team, user);
  else drawChannel(builder, team, user, channelOf(team, destination.channelId));
}

function drawHome(builder: ScreenBuilder, world: World, team: Team, user: User): void {
  builder.write(`== Home of ${world.app.manifest.display_information.name} ==`);
  const view = team.views.get(team.homes.get(user.id) ?? '');
  if (!view) {
    builder.write('(nothing here yet)');
    return;
  }
  builder.startItem(view.id);
  const surface = { kind: 'view', viewId: view.id } as const;
  drawBlocks(builder, { team, surface, values: view.values }, view.body.blocks);
}

/** Replies are below their parent, as if every thread were open. */
function drawChannel(builder: ScreenBuilder, team: Team, user: User, channel: Channel): void {
  builder.write(`== ${channelTitle(team, channel, user)}${channel.archived ? ' (archived)' : ''} ==`);
  const readable = channel.messages.filter((message) => canRead(channel, message, user));
  const isReply = ({ ts, threadTs }: Message) => threadTs !== undefined && threadTs !== ts;
  for (const message of readable.filter((candidate) => !isReply(candidate))) {
    drawMessage(builder, team, user, channel, message, 0);
    const replies = readable.filter((candidate) => isReply(candidate) && candidate.threadTs === message.ts);
    for (const reply of replies) drawMessage(builder, team, user, channel, reply, 1);
  }
}

export function drawMessage(
  builder: ScreenBuilder,
  team: Team,
  user: User,
  channel: Channel,
  message: Message,
  indent: number,
): void {
  builder.startItem(message.ts, indent);
  const author = team.users.get(message.userId)?.name ?? message.userId;
  const marks = [
    message.ephemeralTo !== undefined && ' (only visible to you)',
    message.edited !== undefined && ' (edited)',
  ];
  builder.write(`${author}${marks.filter(Boolean).join('')}:`);
  const surface = { kind: 'message', channelId: channel.id, ts: message.ts } as const;
  const { blocks = [] } = message;
  const values = clientOf(team, user.id).messageValues[message.ts] ?? initialValues(blocks);
  // If there are blocks, the text is only for notifications.
  if (!message.blocks && message.text !== '') builder.write(renderMarkup(team, message.text));
  drawBlocks(builder, { team, surface, values }, blocks);
  builder.startBlock();
  for (const id of message.fileIds) {
    const file = team.files.get(id);
    builder.write(!file || file.deleted ? '(this file was deleted)' : `(file: ${file.title})`);
  }
  for (const { userId, text } of message.forwarded ?? [])
    builder.write(`(forwarded from ${team.users.get(userId)?.name ?? userId}: ${renderMarkup(team, text)})`);
}
