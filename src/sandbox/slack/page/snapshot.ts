import { textOf } from '../client/markup.ts';
import { shortcutsFor } from '../client/shortcuts.ts';
import { resolveElement } from '../client/surface.ts';
import { elementsOf } from '../state/blocks.ts';
import type { ElementRef, Json, Team, User } from '../state/model.ts';
import { topModal } from '../state/views.ts';
import { clientOf, type World } from '../state/world.ts';
import type { Actor } from './actions.ts';
import type { Command, Confirmation, Modal, State } from './client/state.ts';
import { conversationOf, viewSurface } from './conversation.ts';
import { isPlayable, memberOf } from './members.ts';
import type { OutsideWorld } from './outside.ts';
import { channelEntries, directEntries } from './sidebar.ts';

/** What this person's page shows now. */
export function snapshot({ world, team, user, outside }: Actor): State {
  const { display_information, features } = world.app.manifest;
  return {
    workspace: team.name,
    me: memberOf(user),
    people: [...team.users.values()].filter((member) => isPlayable(member)).map(memberOf),
    app: {
      name: display_information.name,
      isInstalled: team.installation !== undefined,
      hasHome: features?.app_home?.home_tab_enabled === true,
      installUrl: world.botOrigin && `${world.botOrigin}/slack/install`,
    },
    commands: commandsFor(world, team, user, outside),
    shortcuts: (['global', 'message'] as const).flatMap((on) =>
      shortcutsFor(world, team, user, on).map(({ name, description = '' }) => ({ name, description, on })),
    ),
    channels: channelEntries(team, user),
    directs: directEntries(team, user),
    destination: destinationOf(world, team, user),
    modal: modalOf(team, user, outside),
    confirmation: confirmationOf(team, user),
    notices: clientOf(team, user.id).notices,
    names: namesOf(team),
    outside: outside?.snapshot(),
  };
}

/** The app's commands, and Slack's own commands that matter to an app. */
function commandsFor(world: World, team: Team, user: User, outside: OutsideWorld | undefined): Command[] {
  const hasAppCommands = user.role !== 'stranger' && team.installation?.scopes.includes('commands') === true;
  const appCommands = hasAppCommands ? (world.app.manifest.features?.slash_commands ?? []) : [];
  const bot = world.app.manifest.features?.bot_user?.display_name ?? '';
  return [
    ...appCommands.map(({ command, description = '', usage_hint = '' }) => ({
      command,
      description,
      hint: usage_hint,
      subcommands: subcommandsOf(usage_hint, outside),
    })),
    { command: '/invite', hint: `@${bot}`, description: 'Add a person or the app to this channel', subcommands: [] },
    {
      command: '/remove',
      hint: `@${bot}`,
      description: 'Remove a person or the app from this channel',
      subcommands: [],
    },
  ];
}

/** The described subcommands, or else the words of a hint like `send | inbox`. */
function subcommandsOf(hint: string, outside: OutsideWorld | undefined): Command['subcommands'] {
  const described = Object.entries(outside?.subcommands ?? {}).map(([word, description]) => ({ word, description }));
  if (described.length > 0 || !hint.includes('|')) return described;
  return hint.split('|').map((word) => ({ word: word.trim(), description: '' }));
}

function destinationOf(world: World, team: Team, user: User): State['destination'] {
  const { destination } = clientOf(team, user.id);
  if (!destination) return undefined;
  if (destination.kind === 'channel') return conversationOf(world, team, user, destination.channelId);
  const view = team.views.get(team.homes.get(user.id) ?? '');
  return { kind: 'home', surface: view && viewSurface(team, user, view) };
}

function modalOf(team: Team, user: User, outside: OutsideWorld | undefined): Modal | undefined {
  const view = topModal(team, user.id);
  if (!view) return undefined;
  const { title, submit, close, blocks } = view.body;
  // A loading view is about to grow, which would move the button away from the pointer.
  const hasElements = blocks.some((block) => elementsOf(block).length > 0);
  return {
    id: view.id,
    title: textOf(team, title),
    submit: textOf(team, submit) || undefined,
    close: textOf(team, close) || 'Cancel',
    surface: viewSurface(team, user, view),
    below: clientOf(team, user.id).modals.length - 1,
    fillLabel: hasElements ? outside?.fillLabelFor(textOf(team, title)) : undefined,
  };
}

function confirmationOf(team: Team, user: User): Confirmation | undefined {
  const { confirmation } = clientOf(team, user.id);
  if (!confirmation) return undefined;
  const { title, text, confirm, deny, action } = confirmation;
  return { title, text, confirm, deny, isDangerous: 'ref' in action && isDangerous(team, user, action.ref) };
}

/** Whether the button to confirm is styled as dangerous. False if its element has been removed since. */
function isDangerous(team: Team, user: User, ref: ElementRef): boolean {
  try {
    const { element } = resolveElement(team, user, ref);
    return ((element.confirm as Json | undefined)?.style ?? element.style) === 'danger';
  } catch {
    return false;
  }
}

function namesOf(team: Team): Record<string, string> {
  const people = [...team.users.values()].map(({ id, name }) => [id, name]);
  const channels = [...team.channels.values()].filter(({ kind }) => kind !== 'im').map(({ id, name }) => [id, name]);
  return Object.fromEntries([...people, ...channels]);
}
