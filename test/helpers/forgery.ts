import type { Json, Person, Workspace } from '../../src/sandbox/slack/index.ts';

/** The values of a form, by field name. */
export type Fields = Record<string, Json & { type: string }>;

const optionOf = (value: string) => ({ text: { type: 'plain_text', text: value.slice(0, 75) }, value });

export const typed = (value: string) => ({ type: 'plain_text_input', value });
export const selectedOption = (value: string) => ({ type: 'static_select', selected_option: optionOf(value) });
export const selectedOptions = (value: string) => ({
  type: 'multi_static_select',
  selected_options: [optionOf(value)],
});
export const selectedChannel = (id: string) => ({ type: 'conversations_select', selected_conversation: id });
export const selectedChannels = (id: string) => ({
  type: 'multi_conversations_select',
  selected_conversations: [id],
});
export const attachedFiles = (id: string) => ({ type: 'file_input', files: [id] });
export const selectedPeople = (id: string) => ({ type: 'multi_users_select', selected_users: [id] });

export interface Forger {
  /** Clicks a button with this name and value, in a modal with this metadata. */
  clicks(name: string, forged: { value?: string; metadata?: string }): Promise<void>;
  /** Submits a form with this name. */
  submits(name: string, forged: { fields?: Fields; metadata?: string }): Promise<void>;
  /** Types into a field with suggestions and picks one. */
  picks(name: string, text: string): Promise<void>;
}

/**
 * Shows a person a modal that someone else opened, with forged contents. Slack signs and delivers what the person does
 * with it, and shows the bot's answer.
 */
export async function forgerFor(person: Person, workspace: Workspace, opener: Person): Promise<Forger> {
  const open = async () => {
    await opener.types('/drop inbox', { in: '#general' });
    await opener.sees('Updated ');
    const opened = workspace.views.find(({ id }) => id === opener.client.modals[0]);
    if (opened === undefined) throw new Error('no modal was opened');
    opener.client.modals = [];
    opened.userId = person.id;
    return opened;
  };
  let view = await open();

  const forge = async (body: Json, fields: Fields = {}) => {
    if (!workspace.views.includes(view)) view = await open();
    Object.assign(view.body, { submit: null, private_metadata: '', callback_id: 'forged' }, body);
    view.values = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { [name]: value }]));
    view.errors = {};
    // Remove modals that were pushed on top.
    person.client.modals = [view.id];
  };
  const label = (text: string) => ({ type: 'plain_text', text });
  return {
    async clicks(name, { value = '', metadata = '' }) {
      const button = { type: 'button', action_id: name, text: label('Forged'), ...(value !== '' && { value }) };
      const blocks = [{ type: 'actions', block_id: 'forged', elements: [button] }];
      await forge({ private_metadata: metadata, blocks });
      await person.clicks('Forged');
    },
    async submits(name, { fields = {}, metadata = '' }) {
      const blocks = [{ type: 'section', block_id: 'said', text: label('A form') }];
      await forge({ private_metadata: metadata, callback_id: name, submit: label('Forged'), blocks }, fields);
      await person.submits('Forged');
    },
    async picks(name, text) {
      const element = { type: 'multi_external_select', action_id: name, min_query_length: 1 };
      await forge({ blocks: [{ type: 'input', block_id: 'forged', label: label('Forged'), element }] });
      await person.picks('Forged', text);
    },
  };
}
