import { escapePlainText } from '../blocks.ts';
import type { Json, Team, Values, View } from '../model.ts';
import type { World } from '../world.ts';
import { embeddedFileJson } from './file.ts';

export function viewJson(world: World, team: Team, view: View): Json {
  const body = escapePlainText(view.body);
  return {
    id: view.id,
    team_id: view.teamId,
    type: view.type,
    blocks: body.blocks,
    private_metadata: body.private_metadata ?? '',
    callback_id: body.callback_id ?? '',
    state: { values: escapePlainText(view.values) },
    hash: view.hash,
    title: body.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    clear_on_close: false,
    notify_on_close: body.notify_on_close ?? false,
    close: body.close ?? null,
    submit: body.submit ?? null,
    previous_view_id: view.previousId ?? null,
    root_view_id: view.rootId,
    app_id: world.app.id,
    external_id: '',
    app_installed_team_id: team.id,
    bot_id: team.appUser?.botId ?? '',
  };
}

/** The state as sent to the bot: attached files replace their ids. */
export function stateJson(world: World, team: Team, values: Values): { values: Values } {
  const copy = escapePlainText(values);
  for (const actions of Object.values(copy)) {
    for (const value of Object.values(actions)) {
      if (value.type !== 'file_input') continue;
      const ids = (value.files ?? []) as string[];
      value.files = ids.flatMap((id): Json[] => {
        const file = team.files.get(id);
        return file ? [embeddedFileJson(world, team, file)] : [];
      });
    }
  }
  return { values: copy };
}
