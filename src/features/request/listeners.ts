import { DroplineError } from '../../errors.ts';
import type { Filled } from '../../slack/form.ts';
import type { FormAnswer, Routes } from '../../slack/routes.ts';
import { openWhenReady, type Visit } from '../../slack/visit.ts';
import { connectionOf } from '../connection.ts';
import { readChoice } from '../receivers/suggest.ts';
import { cancelTransfer } from '../send/operations.ts';
import { expectAllowed } from '../settings/permission.ts';
import { readSettings } from '../settings/stored.ts';
import type { UiServices } from '../ui-services.ts';
import { confirmRequest, prepareRequest } from './prepare.ts';
import { showRequest } from './tell.ts';
import { confirmView, requestView, switchedOffView } from './views.ts';

export function requestRoutes(services: UiServices): Routes {
  return {
    commands: {
      request: {
        summary: 'asks contacts for files: gives them a page to upload to, for a time',
        run: (visit) => openRequest(services, visit),
      },
    },
    actions: {
      'request.open': (visit) => openRequest(services, visit),
      'request.cancel': async (visit, { value }) => {
        await cancelTransfer(services, visit.actor, value);
        await visit.tell('Stopping it. The card says when it is stopped.');
      },
    },
    forms: {
      'request.form': { submit: (visit, filled) => prepare(services, visit, filled) },
      'request.confirm': {
        submit: (visit, _, id) => confirm(services, visit, id),
        after: async (_, id) => void (await showRequest(services.slack, services.store, id)),
      },
    },
  };
}

function openRequest(services: UiServices, visit: Visit): Promise<void> {
  return openWhenReady(visit, 'Ask for files', async () => {
    const { settings, isAdmin } = await expectAllowed(services, visit.actor, 'request');
    await connectionOf(services, visit.actor.workspace);
    return settings.requests ? requestView(settings.ttl) : switchedOffView(isAdmin);
  });
}

async function prepare(services: UiServices, visit: Visit, filled: Filled): Promise<FormAnswer> {
  const { actor } = visit;
  await expectAllowed(services, actor, 'request');
  const timeToLive = Number(filled.text('timeToLive').replace(',', '.') || Number.NaN);
  const message = filled.text('message');
  if (message === '') throw new DroplineError('invalid', 'Say what you need.', { field: 'message' });
  const { chosen } = await readChoice(services, actor.workspace, filled.choices('receivers'));
  const { ttl } = await readSettings(services, actor.workspace);
  const prepared = await prepareRequest(services, actor, { ...chosen, message, timeToLive });
  return { view: confirmView({ ...prepared, message, timeToLive, unit: ttl.unit }) };
}

async function confirm(services: UiServices, visit: Visit, shown: string): Promise<FormAnswer> {
  const id = await confirmRequest(services, visit.actor, shown);
  return {
    closeAll: true,
    done: 'Asking them. A message from me says how it stands.',
    after: id,
  };
}
