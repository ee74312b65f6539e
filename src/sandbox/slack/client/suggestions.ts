import { checkOptions } from '../check/index.ts';
import { deliver, markFailed } from '../delivery/deliver.ts';
import { commonPayload } from '../delivery/payloads.ts';
import { withTextDefaults } from '../state/blocks.ts';
import { omit } from '../state/json/omit.ts';
import type { ElementRef, Json, Team, User } from '../state/model.ts';
import { clientOf, type World } from '../state/world.ts';
import { surfacePayload } from './block-actions.ts';
import { showFailure } from './notices.ts';
import { resolveElement } from './surface.ts';

/** Asks the bot for the options that match the typed text. Returns none if the bot fails or sends invalid ones. */
export async function suggest(world: World, team: Team, user: User, ref: ElementRef, value: string): Promise<Json[]> {
  const { surface, block, element } = resolveElement(team, user, ref);
  const payload: Json = {
    type: 'block_suggestion',
    ...omit(commonPayload(world, team, user), 'enterprise', 'is_enterprise_install'),
    ...omit(surfacePayload(world, team, user, surface), 'state', 'response_url'),
    action_id: element.action_id,
    block_id: block.block_id,
    value,
  };
  const { delivery, answer } = await deliver(world, { kind: 'block_suggestion', teamId: team.id, payload });
  if (delivery.outcome === 'acked') {
    const problem = typeof answer === 'object' ? checkOptions(answer) : { error: 'no_options', messages: [] };
    if (problem) markFailed(delivery, [problem.error, ...problem.messages].join(' '));
  }
  showFailure(clientOf(team, user.id), delivery, 'The list');
  return delivery.outcome === 'acked' ? optionsOf(withTextDefaults(answer) as Json) : [];
}

/** All options of a list, including those in groups. */
export function optionsOf({ options, option_groups: groups }: Json): Json[] {
  if (Array.isArray(options)) return options;
  return Array.isArray(groups) ? groups.flatMap((group: Json) => optionsOf(group)) : [];
}
