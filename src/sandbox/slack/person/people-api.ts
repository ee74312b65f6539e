import { type Answer, jsonAnswer } from '../http.ts';
import type { Json, Team } from '../state/model.ts';
import type { Person } from './person.ts';

/** What a person can do over HTTP: everything they can do in a test. */
export const acts = [
  'opens',
  'types',
  'shares',
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
  'editsSnippet',
  'reloads',
  'installs',
] as const satisfies readonly (keyof Person)[];

type Act = (typeof acts)[number];

interface PeopleOfWorkspace {
  name: string;
  people: Person[];
  state: Team;
}

/**
 * Controls people over HTTP, for a page or another process: `GET /-/people` lists them, `GET /-/people/<id>` shows what
 * one of them sees, and `POST /-/people/<id>/<act>` with a JSON list of arguments performs an act.
 */
export async function servePeopleApi(
  workspaces: readonly PeopleOfWorkspace[],
  method: string,
  path: string,
  body: string,
): Promise<Answer> {
  const [, , collection, id = '', act = ''] = path.split('/');
  const person = workspaces.flatMap(({ people }) => people).find((candidate) => candidate.id === id);
  if (method === 'GET' && collection === 'people' && id === '') return jsonAnswer(200, workspaces.flatMap(listPeople));
  if (!person || collection !== 'people') return jsonAnswer(404, { error: 'person not found' });
  if (method === 'GET' && act === '') return jsonAnswer(200, personJson(person));
  if (method !== 'POST' || !isAct(act)) return jsonAnswer(404, { error: `unknown action "${act}"` });
  try {
    const perform = person[act] as (...args: unknown[]) => Promise<unknown>;
    const result = await perform(...(JSON.parse(body || '[]') as unknown[]).map(decodeFiles));
    return jsonAnswer(200, { ...personJson(person), result });
  } catch (error) {
    return jsonAnswer(409, { ...personJson(person), error: error instanceof Error ? error.message : String(error) });
  }
}

function isAct(name: string): name is Act {
  return (acts as readonly string[]).includes(name);
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

/** Decodes the files anywhere in the arguments, whose data is base64. */
function decodeFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeFiles);
  if (typeof value !== 'object' || value === null) return value;
  const { base64, ...file } = value as Json;
  return typeof base64 === 'string' ? { ...file, data: Buffer.from(base64, 'base64') } : value;
}
