import { DroplineError } from '../../errors.ts';
import type { Filled } from '../../slack/form.ts';
import type { FormAnswer, Routes } from '../../slack/routes.ts';
import { doneView, loadingView } from '../../slack/views.ts';
import { openWhenReady, type Visit } from '../../slack/visit.ts';
import { connectionOf } from '../connection.ts';
import { refreshHome } from '../home/publish.ts';
import { expectOwnChannel } from '../own-channel.ts';
import { expectAllowed, isAllowed } from '../settings/permission.ts';
import { ttlUnits } from '../settings/settings.ts';
import { readSettings } from '../settings/stored.ts';
import type { UiServices } from '../ui-services.ts';
import { disconnect } from './operations.ts';
import { makeKeyPage } from './page.ts';
import { connectForGood } from './trial.ts';
import {
  connectedView,
  connectMetadata,
  connectView,
  disconnectView,
  keyPageView,
  mostInterrupted,
  notConnectedText,
} from './views.ts';

export function connectRoutes(services: UiServices): Routes {
  return {
    commands: {
      connect: {
        summary: 'connects this workspace to the file service (admins)',
        run: (visit) => openConnect(services, visit),
      },
      disconnect: {
        summary: 'disconnects it and forgets everything (admins)',
        run: (visit) =>
          openWhenReady(visit, 'Disconnect', async () => {
            await expectAllowed(services, visit.actor, 'admin');
            const { credentials } = await connectionOf(services, visit.actor.workspace);
            return disconnectView(credentials.username);
          }),
      },
    },
    forms: {
      'connect.form': {
        submit: (visit, filled, metadata) => submit(services, visit, filled, metadata),
        after: (visit, next) => (next === '' ? refreshHome(services, visit.actor) : services.resume(visit, next)),
      },
    },
    actions: {
      'connect.open': (visit) => openConnect(services, visit),
      'connect.goOn': (visit, { value }) => services.resume(visit, value),
      'connect.leave': async (visit) => {
        await disconnect(services, visit.actor);
        await visit.open(
          doneView(
            'Disconnect',
            'Disconnecting. What was left on the service is cleaned up, then everything is forgotten.',
          ),
        );
        await refreshHome(services, visit.actor);
      },
    },
  };
}

async function openConnect(services: UiServices, visit: Visit, next?: string): Promise<void> {
  await openWhenReady(visit, 'Connect the service', async () => {
    const { settings } = await expectAllowed(services, visit.actor, 'admin');
    const before = await services.store.credentials.get(visit.actor.workspace);
    return connectView({
      baseUrl: before?.baseUrl,
      username: before?.username,
      inboxChannel: settings.inboxChannel,
      ttl: settings.ttl,
      next,
      hasPage: services.publicUrl !== undefined,
    });
  });
}

/** Instead of a refusal: the form, for whoever may fill it in; the command that was interrupted goes on afterwards. */
export async function offerConnect(
  services: UiServices,
  visit: Visit,
  interrupted: string | undefined,
): Promise<boolean> {
  const { workspace, person } = visit.actor;
  const settings = await readSettings(services, workspace);
  const isAdmin = isAllowed(settings, await services.people.roleOf(visit.actor), person, 'admin');
  const isLeaving = (await services.store.credentials.get(workspace)) !== undefined;
  if (isLeaving) return false;
  const next = interrupted !== undefined && interrupted.length <= mostInterrupted ? interrupted : undefined;
  if (isAdmin && interrupted !== undefined) await openConnect(services, visit, next);
  else await visit.complain(notConnectedText(isAdmin));
  return true;
}

async function submit(services: UiServices, visit: Visit, filled: Filled, metadata: string): Promise<FormAnswer> {
  await expectAllowed(services, visit.actor, 'admin');
  const { next } = connectMetadata.read(metadata) ?? {};
  const wish = await read(services, visit, filled);
  if (wish.apiKey === '' && services.publicUrl !== undefined) {
    return { view: keyPageView(await makeKeyPage(services, visit.actor, wish, next)) };
  }
  await connectForGood(services, visit.actor, wish);
  const done = `This workspace is connected to the file service as ${wish.username}.`;
  if (next === undefined) return { view: connectedView(wish.username), done, after: '' };
  return { view: loadingView('Connected'), done, after: next };
}

async function read(services: UiServices, visit: Visit, filled: Filled) {
  const { ttl } = await readSettings(services, visit.actor.workspace);
  const usual = Number(filled.text('ttlUsual').replace(',', '.') || ttl.usual);
  if (!Number.isFinite(usual) || usual < 0) {
    throw new DroplineError('invalid', 'This must be a number from 0 up.', { field: 'ttlUsual' });
  }
  const unit = ttlUnits.find((known) => known === filled.choice('ttlUnit')) ?? ttl.unit;
  const inboxChannel = filled.channel('inboxChannel');
  if (inboxChannel !== undefined) {
    await expectOwnChannel(services, visit.actor.workspace, inboxChannel, 'inboxChannel');
  }
  return {
    baseUrl: filled.text('baseUrl'),
    username: filled.text('username'),
    apiKey: filled.text('apiKey'),
    inboxChannel,
    ttl: { ...ttl, unit, usual },
  };
}
