import type { ElementRef, Json, Message, Person, SlackServer, View, Workspace } from '../../src/sandbox/slack/index.ts';
import { until } from '../helpers/features.ts';

type Surface = ElementRef['surface'];

/** An element of a message or view, found by its action id. */
export interface FoundElement {
  ref: ElementRef;
  element: Json & { type: string; action_id: string };
}

/** The part of an action id before the `#`. */
export const nameOf = (actionId: string) => actionId.split('#')[0] ?? '';

/** All elements of these blocks with an action id. */
export function elementsIn(surface: Surface, blocks: readonly Json[] = []): FoundElement[] {
  return blocks.flatMap((block) => {
    const candidates = [block.accessory, block.element, ...(Array.isArray(block.elements) ? block.elements : [])];
    return candidates.flatMap((element): FoundElement[] =>
      typeof element?.action_id === 'string'
        ? [{ ref: { surface, blockId: String(block.block_id), actionId: element.action_id }, element }]
        : [],
    );
  });
}

/** Drives a person in Slack by action, block and callback ids. Texts can change between versions; ids cannot. */
export class PersonDriver {
  readonly slack: SlackServer;
  readonly workspace: Workspace;
  readonly person: Person;
  /** Whether a typed command is expected to open a modal. */
  #isInModal = false;

  constructor(slack: SlackServer, workspace: Workspace, person: Person) {
    this.slack = slack;
    this.workspace = workspace;
    this.person = person;
  }

  async perform(name: string, parameters: Json = {}): Promise<unknown> {
    const url = `${this.slack.url}/-/page/${this.person.id}/${name}`;
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(parameters) });
    const { result, error } = (await answer.json()) as { result?: unknown; error?: string };
    if (!answer.ok) throw new Error(`${this.person.name} cannot ${name}: ${error}`);
    return result;
  }

  /** The modal on top. */
  view(): View | undefined {
    return this.workspace.state.views.get(this.person.client.modals.at(-1) ?? '');
  }

  home(): View | undefined {
    return this.workspace.state.views.get(this.workspace.state.homes.get(this.person.id) ?? '');
  }

  /** All messages that this person can read, newest first. */
  messages(): { channel: string; message: Message }[] {
    const readable = [...this.workspace.state.channels.values()].filter(({ members }) => members.has(this.person.id));
    return readable
      .flatMap(({ id: channel, messages }) => messages.map((message) => ({ channel, message })))
      .filter(({ message: { ephemeralTo } }) => ephemeralTo === undefined || ephemeralTo === this.person.id)
      .sort((one, other) => Number(other.message.ts) - Number(one.message.ts));
  }

  /** The usable elements of the modal or, if none is open or expected, of messages and Home. */
  elements(): FoundElement[] {
    const ofView = (view: View | undefined) =>
      view === undefined ? [] : elementsIn({ kind: 'view', viewId: view.id }, view.body.blocks);
    if (this.#isInModal || this.view() !== undefined) return ofView(this.view());
    const ofMessages = this.messages().flatMap(({ channel, message: { ts, blocks } }) =>
      elementsIn({ kind: 'message', channelId: channel, ts }, blocks),
    );
    return [...ofMessages, ...ofView(this.home())];
  }

  /** Resolves when an element with this name is usable. */
  async sees(name: string): Promise<void> {
    const matches = ({ ref: { actionId } }: FoundElement) => actionId === name || nameOf(actionId) === name;
    await this.#waitUntilShown(() => this.elements().some(matches), name);
  }

  /** Resolves when the modal is the form with this name. */
  async seesForm(name: string): Promise<void> {
    await this.#waitUntilShown(() => this.view()?.body.callback_id === name, `the form ${name}`);
  }

  async #waitUntilShown(isShown: () => boolean, what: string): Promise<void> {
    try {
      await until(() => isShown() || undefined, what, 15_000);
    } catch (error) {
      throw new Error(`${this.person.name} does not see ${what}:\n${this.person.screen()}`, { cause: error });
    }
  }

  /** Closes all modals, so that messages and Home are usable again. */
  closesAll(): void {
    this.person.client.modals = [];
    this.#isInModal = false;
  }

  /** Closes the top modal like a person, and confirms if Slack asks. */
  async closesModal(): Promise<void> {
    await this.perform('close');
    if (this.person.client.confirmation !== undefined) await this.perform('answer', { yes: true });
  }

  /** Types a command that opens a modal. */
  async types(command: string): Promise<void> {
    this.closesAll();
    this.#isInModal = true;
    await this.person.types(command, { in: '#general' });
  }

  /** Presses a button; if several match, the first that contains this text. Confirms the dialog if there is one. */
  async presses(name: string, content = ''): Promise<void> {
    await this.sees(name);
    const matches = ({ ref, element }: FoundElement) =>
      (ref.actionId === name || nameOf(ref.actionId) === name) && JSON.stringify(element).includes(content);
    const found = this.elements().find(matches);
    if (found === undefined) throw new Error(`no ${name} contains ${content}`);
    const options = (found.element.options ?? []) as (Json & { value: string })[];
    await this.pressesAt(
      found.ref,
      options.find(({ value }) => value.startsWith(content)),
    );
  }

  async pressesAt(ref: ElementRef, option?: Json): Promise<void> {
    await this.perform('press', option === undefined ? { ref } : { ref, option });
    if (this.person.client.confirmation !== undefined) await this.perform('answer', { yes: true });
  }

  /** Enters values by action id: a text, id or option's value, a search text (external menus), or a list of these. */
  async fills(fields: Record<string, string | string[]>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) {
      // A field can appear after another one was filled in.
      const find = () => this.elements().find(({ ref }) => ref.actionId === name);
      const found = await until(find, `field ${name}:\n${this.person.screen()}`);
      await this.perform('choose', { ref: found.ref, value: await this.#valueFor(found, value) });
    }
  }

  async #valueFor({ ref, element }: FoundElement, value: string | string[]): Promise<unknown> {
    const optionFor = async (text: string): Promise<unknown> => {
      const { options = [] } = element as { options?: (Json & { value: string })[] };
      if (!element.type.includes('external')) return options.find((option) => option.value === text);
      const offers = (await this.perform('options', { ref, words: text })) as { value: unknown }[];
      return offers[0]?.value;
    };
    if (!/static|external|radio|checkboxes/.test(element.type)) return value;
    return Array.isArray(value) ? Promise.all(value.map(optionFor)) : optionFor(value);
  }

  async submits(): Promise<void> {
    await this.perform('submit');
  }

  /** Uploads a file to Slack as this person. Returns its id. */
  async uploads(name: string, data: string): Promise<string> {
    const url = `${this.slack.url}/-/page/${this.person.id}/files?name=${encodeURIComponent(name)}`;
    const { result } = (await (await fetch(url, { method: 'POST', body: data })).json()) as { result: { id: string } };
    return result.id;
  }
}
