import { type Channel, type ChannelOptions, channelHandle, createChannel } from './channel-handle.ts';
import { endInstallation, install, revokeToken, type UninstallEvent } from './delivery/installation.ts';
import { createPerson } from './person/create-person.ts';
import type { Person } from './person/person.ts';
import { newId } from './state/ids.ts';
import { scopesOf } from './state/manifest.ts';
import type { FileRecord, Role, Team, User, View } from './state/model.ts';
import { userOf, type World } from './state/world.ts';

export interface WorkspaceOptions {
  name?: string;
  id?: string;
  domain?: string;
}

export interface PersonOptions {
  name: string;
  role?: Exclude<Role, 'app'>;
  id?: string;
  email?: string;
  deactivated?: boolean;
  /** The person's home workspace, if it is another one of the same organisation. */
  home?: string;
  organisationRole?: User['organisationRole'];
}

export interface Installed {
  botToken: string;
  botUserId: string;
  botId: string;
  teamId: string;
  scopes: string[];
}

export interface Workspace {
  readonly id: string;
  readonly name: string;
  addPerson(options: PersonOptions): Person;
  addChannel(options: ChannelOptions): Channel;
  person(name: string): Person;
  channel(name: string): Channel;
  readonly people: Person[];
  readonly channels: Channel[];
  readonly files: FileRecord[];
  readonly views: View[];
  /** Installs the app without a consent page. Default: all scopes of the manifest. */
  install(options: { by: Person; scopes?: readonly string[] }): Installed;
  /** Uninstalls the app; `first` is the event that is sent first. */
  uninstall(options?: { first?: UninstallEvent }): void;
  revokeToken(): void;
  readonly installation: Installed | undefined;
  /** The live state of the workspace; a test can save and restore it. */
  readonly state: Team;
}

export function createWorkspace(world: World, options: WorkspaceOptions): Workspace {
  const { name = 'Acme' } = options;
  const team: Team = {
    id: options.id ?? newId('T'),
    name,
    domain: options.domain ?? name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    users: new Map(),
    channels: new Map(),
    files: new Map(),
    views: new Map(),
    clients: new Map(),
    homes: new Map(),
    installation: undefined,
    appUser: undefined,
  };
  if (world.teams.has(team.id)) throw new Error(`workspace ${team.id} already exists`);
  world.teams.set(team.id, team);
  return handleOf(world, team);
}

function handleOf(world: World, team: Team): Workspace {
  const people: Person[] = [];
  const personNamed = (name: string) => people.find((person) => person.name === name);
  return {
    id: team.id,
    name: team.name,
    addPerson(options) {
      if (personNamed(options.name)) throw new Error(`${options.name} already exists`);
      const user = newUser(team, options);
      team.users.set(user.id, user);
      const person = createPerson(world, team, user);
      people.push(person);
      return person;
    },
    addChannel: (options) => channelHandle(world, team, createChannel(world, team, options)),
    person(name) {
      const person = personNamed(name);
      if (!person) throw new Error(`no person called ${name} in ${team.name}`);
      return person;
    },
    channel(name) {
      const existing = [...team.channels.values()].find((channel) => channel.kind !== 'im' && channel.name === name);
      if (!existing) throw new Error(`no channel #${name} in ${team.name}`);
      return channelHandle(world, team, existing);
    },
    get people() {
      return [...people];
    },
    get channels() {
      return [...team.channels.values()].map((channel) => channelHandle(world, team, channel));
    },
    get files() {
      return [...team.files.values()];
    },
    get views() {
      return [...team.views.values()];
    },
    install({ by, scopes }) {
      const { manifest } = world.app;
      install(world, team, userOf(team, by.id), scopes ?? scopesOf(manifest));
      return installedOf(team);
    },
    uninstall: ({ first } = {}) => endInstallation(world, team, first),
    revokeToken: () => revokeToken(world, team),
    get installation() {
      return team.installation && installedOf(team);
    },
    state: team,
  };
}

function installedOf(team: Team): Installed {
  if (!team.installation) throw new Error(`the app is not installed in ${team.name}`);
  const { token: botToken, botUserId, botId, scopes } = team.installation;
  return { botToken, botUserId, botId, teamId: team.id, scopes: [...scopes] };
}

function newUser(team: Team, options: PersonOptions): User {
  const { name, role = 'member', id, email, deactivated = false, home = team.id, organisationRole } = options;
  const handle = name.toLowerCase().replace(/[^a-z0-9]+/g, '.');
  return {
    id: id ?? newId('U'),
    // People of another organisation come from a workspace that isn't simulated.
    teamId: role === 'stranger' ? newId('T') : home,
    name,
    handle,
    email: email ?? `${handle}@${team.domain}.example`,
    role,
    organisationRole,
    deactivated,
    botId: role === 'bot' ? newId('B') : undefined,
  };
}
