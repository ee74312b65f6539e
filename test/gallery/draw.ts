import { drawBlocks } from '../../src/sandbox/slack/page/client/blocks.ts';
import { type Child, h } from '../../src/sandbox/slack/page/client/dom.ts';
import { drawMessage } from '../../src/sandbox/slack/page/client/message.ts';
import { drawConfirmation, drawModal } from '../../src/sandbox/slack/page/client/modal.ts';
import type { State, Surface } from '../../src/sandbox/slack/page/client/state.ts';
import { fieldValues } from '../../src/sandbox/slack/page/field-values.ts';
import { elementsOf, normalizeBlocks } from '../../src/sandbox/slack/state/blocks.ts';
import type { Json, Team, User } from '../../src/sandbox/slack/state/model.ts';
import { initialValues } from '../../src/sandbox/slack/state/values.ts';
import type { Sample } from '../views/hostile-texts.ts';

/** Names of the people and channels in the samples. */
const names: Record<string, string> = { U0123456789: 'Anna Berg', U0ADMIN: 'Anna Berg', C0123456789: 'inbox' };
const author = { id: 'U0APP', name: 'Dropline', role: 'app' } as const;
const user: User = {
  id: 'U0123456789',
  teamId: 'T1',
  name: 'Anna Berg',
  handle: 'anna',
  email: 'anna@example.com',
  role: 'member',
  deactivated: false,
  botId: undefined,
};
const team: Team = {
  id: 'T1',
  name: 'Acme',
  domain: 'acme',
  users: new Map(
    Object.entries(names)
      .filter(([id]) => id.startsWith('U'))
      .map(([id, name]) => [id, { ...user, id, name }]),
  ),
  channels: new Map(
    Object.entries(names)
      .filter(([id]) => id.startsWith('C'))
      .map(([id, name]) => [
        id,
        {
          id,
          name,
          kind: 'public',
          shared: false,
          invited: false,
          archived: false,
          created: 0,
          creator: user.id,
          members: new Set<string>(),
          messages: [],
        },
      ]),
  ),
  files: new Map(),
  views: new Map(),
  clients: new Map(),
  homes: new Map(),
  installation: undefined,
  appUser: undefined,
};
const state: State = {
  workspace: team.name,
  me: user,
  people: [],
  app: { name: 'Dropline', isInstalled: true, hasHome: true, installUrl: undefined },
  commands: [],
  shortcuts: [],
  channels: [],
  directs: [],
  destination: undefined,
  modal: undefined,
  confirmation: undefined,
  notices: [],
  names,
  outside: undefined,
};

/** Draws the sample like the sandbox's page, followed by the confirmation dialogs of its buttons. */
export function drawSample(sample: Sample, id: string): Child[] {
  const blocks = normalizeBlocks(sample.blocks as object[] as Json[]);
  const surface: Surface = {
    ref: { kind: 'view', viewId: id },
    blocks,
    entered: fieldValues(team, user, blocks, initialValues(blocks)),
    errors: {},
  };
  const confirmations = blocks.flatMap((block) => elementsOf(block)).flatMap(drawConfirm);
  return [drawSurface(sample, surface, id), ...confirmations];
}

function drawSurface(sample: Sample, surface: Surface, id: string): Child {
  if (!('type' in sample)) {
    const message = { ts: '1790000000.000100', author, text: sample.text, surface, files: [] };
    return drawMessage(state, { ...message, isOnlyForMe: false, isEdited: false, replies: 0 }, { inThread: true });
  }
  if (sample.type === 'home') return h('div', { class: 'home-blocks' }, drawBlocks(surface, names));
  const { title, submit, close } = sample;
  return drawModal(state, {
    id,
    title: title.text,
    submit: submit?.text,
    close: close?.text ?? 'Cancel',
    surface,
    below: 0,
    fillLabel: undefined,
  });
}

function drawConfirm({ confirm, style: buttonStyle }: Json): Child[] {
  if (confirm === undefined) return [];
  const { title, text, confirm: yes, deny, style = buttonStyle } = confirm as Record<string, { text: string }>;
  const confirmation = {
    title: title?.text ?? '',
    text: text?.text ?? '',
    confirm: yes?.text ?? '',
    deny: deny?.text ?? '',
    isDangerous: style === 'danger',
  };
  const drawn = drawConfirmation({ ...state, confirmation });
  return drawn === false ? [] : [drawn];
}
