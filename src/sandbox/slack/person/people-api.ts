import { type Answer, jsonAnswer } from '../http.ts';
import type { Json, Team } from '../state/model.ts';
import type { Person } from './person.ts';

/** What a person can do over HTTP. Apart from downloads, everything they can do in a test. */
export const personActions = [
  'opens',
  'types',
  'shares',
  'forwards',
  'sees',
  'doesNotSee',
  'clicks',
  'confirms',
  'declines',
  'fills',
  'picks',
  'unpicks',
  'attaches',
  'submits',
  'closes',
  'usesShortcut',
  'deletesFile',
  'renamesFile',
  'editsSnippet',
  'reloads',
  'installs',
] as const satisfies readonly (keyof Person)[];

type PersonAction = (typeof personActions)[number];

interface PeopleOfWorkspace {
  name: string;
  people: Person[];
  state: Team;
}

/**
 * Controls people over HTTP, for a page or another process: `GET /-/people` lists them, `GET /-/people/<id>` shows what
 * one of them sees, and `POST /-/people/<id>/<action>` with a JSON list of arguments performs an action.
 */
export async function servePeopleApi(
  workspaces: readonly PeopleOfWorkspace[],
  method: string,
  path: string,
  body: string,
): Promise<Answer> {
  const [, , collection, id = '', action = ''] = path.split('/');
  const person = workspaces.flatMap(({ people }) => people).find((candidate) => candidate.id === id);
  if (method === 'GET' && collection === 'people' && id === '') return jsonAnswer(200, workspaces.flatMap(listPeople));
  if (!person || collection !== 'people') return jsonAnswer(404, { error: 'person not found' });
  if (method === 'GET' && action === '') return jsonAnswer(200, personJson(person));
  if (method !== 'POST' || !isPersonAction(action)) return jsonAnswer(404, { error: `unknown action "${action}"` });
  try {
    const perform = person[action] as (...args: unknown[]) => Promise<unknown>;
    const result = await perform(...(JSON.parse(body || '[]') as unknown[]).map(decodeFiles));
    return jsonAnswer(200, { ...personJson(person), result });
  } catch (error) {
    return jsonAnswer(409, { ...personJson(person), error: error instanceof Error ? error.message : String(error) });
  }
}

function isPersonAction(name: string): name is PersonAction {
  return (personActions as readonly string[]).includes(name);
}

function listPeople({ name: workspace, state, people }: PeopleOfWorkspace): Json[] {
  return people.map(({ id, name }) => {
    const role = state.users.get(id)?.role;
    return { id, name, role, workspace, destinations: channelNames(state, id) };
  });
}

function channelNames(team: Team, userId: string): string[] {
  const channels = [...team.channels.values()].filter(({ kind, members }) => kind !== 'im' && members.has(userId));
  return channels.map(({ name }) => `#${name}`);
}

function personJson(person: Person): Json {
  return {
    id: person.id,
    name: person.name,
    screen: person.screen(),
    lines: person.readScreen().lines,
    client: person.client,
  };
}

/** Decodes the base64 data of files, wherever they are in the arguments. */
function decodeFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeFiles);
  if (typeof value !== 'object' || value === null) return value;
  const { base64, ...file } = value as Json;
  return typeof base64 === 'string' ? { ...file, data: Buffer.from(base64, 'base64') } : value;
}
