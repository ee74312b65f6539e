import { createHmac } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ErrorCode, HTTPReceiver } from '@slack/bolt';
import type { SlackConfig } from './config.ts';
import { offerConnect } from './features/account/connect/listeners.ts';
import { storeAndWelcome } from './features/account/install/jobs.ts';
import { installedPage, installFailureText, refusalPage } from './features/account/install/page.ts';
import { errorMessageWithReference, hasErrorMessage, newReference } from './features/common/audited.ts';
import { withCallLimits } from './features/common/connection.ts';
import { createLatestOnlyQueue } from './features/common/latest-only-queue.ts';
import { sendPage } from './features/common/page.ts';
import { accountFor } from './features/desks/operations.ts';
import { refreshHome } from './features/home/notify.ts';
import { featureRoutes } from './features/routes.ts';
import type { TransferSlackServices, TransferUiServices } from './features/transfers/shown-kind.ts';
import { bounds } from './lib/bounds.ts';
import { isDroplineError } from './lib/errors.ts';
import { claims } from './slack/claims.ts';
import { clientOptions, createClients } from './slack/clients.ts';
import { type DispatcherOptions, registerListeners, runCommand } from './slack/dispatcher.ts';
import { logFirstRequest } from './slack/first-request.ts';
import { httpListener, malformedPayloadHandler } from './slack/http-listener.ts';
import { installGuard } from './slack/install-guard.ts';
import { notInstalled } from './slack/installations.ts';
import type { Interaction } from './slack/interaction.ts';
import { isOAuthRedirectError, quietLogger } from './slack/log.ts';
import { readManifest, scopesOf } from './slack/manifest.ts';
import { MeasuredApp } from './slack/measured-app.ts';
import { missingScopeOf } from './slack/platform-errors.ts';
import { joinRoutes } from './slack/routes.ts';
import { createSocketMode } from './slack/socket-mode.ts';
import { refuseUnsigned } from './slack/unsigned.ts';

export interface SlackApp {
  /** Answers HTTP requests from Slack and installers; undefined in Socket Mode. */
  listener: RequestListener | undefined;
  /** Whether workspaces can install the app at `/slack/install`. */
  canInstall: boolean;
  /** Opens the first Socket Mode connection; does nothing over HTTP. */
  start(): Promise<void>;
  /** How many Socket Mode connections are open; undefined over HTTP. */
  openConnections(): number | undefined;
  /** Closes the Socket Mode connections and ends the pauses before retries. Over HTTP, the caller closes its server. */
  stopListening(): Promise<void>;
  /** Resolves when all acknowledged work is done, or after `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

/** The Slack app: Bolt with one listener for each kind of payload, and one error handler. */
export function createSlackApp(slackServices: TransferSlackServices, config: SlackConfig): SlackApp {
  const services: TransferUiServices = {
    ...withCallLimits(slackServices),
    draftSaves: createLatestOnlyQueue(),
    runCommand: (interaction, text) =>
      runCommand(routes, interaction, text).catch((error: unknown) => options.fail(interaction, error)),
    refreshHome: (actor) => refreshHome(slackServices, actor),
  };
  const routes = joinRoutes(featureRoutes(services));
  const { log, metrics, store, slack } = services;
  const manifest = readManifest();
  const { appToken, apiUrl } = config;
  const { connectionPauseMs: pauseMs } = services.timing;
  const socket = appToken === undefined ? undefined : createSocketMode({ appToken, apiUrl, pauseMs, log });
  const receiver = socket ?? createHttpReceiver(services, config, scopesOf(manifest));
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();
  // One listener per event that waits for a retry. Node warns from eleven on.
  setMaxListeners(0, stopping.signal);

  const app = new MeasuredApp({
    receiver,
    // With OAuth, Bolt asks the receiver's installer, which reads the same installations.
    ...(config.oauth === undefined || config.appToken !== undefined ? { authorize: authorizeBy(slack) } : {}),
    clientOptions: clientOptions(config.apiUrl, log),
    logger: quietLogger(log),
    convoStore: false,
    attachFunctionToken: false,
    metrics,
  });
  app.error(async (error) => {
    log.error({ err: error }, 'slack listener failed');
    // Bolt acknowledges requests that it can't authorise, so a form would close as if it had worked. If the reason is a
    // failed database query, rethrowing makes Slack report a failure.
    if (error.code === ErrorCode.AuthorizationError && !error.message.includes(notInstalled)) throw error;
  });

  const isExpectedError = hasErrorMessage;
  const logFailure = (interaction: Interaction, error: unknown) =>
    log[isExpectedError(error) ? 'info' : 'error'](
      { ...interaction.actor, err: error },
      isExpectedError(error) ? 'refused' : 'failed',
    );
  const tryOfferConnect = (interaction: Interaction, interrupted: string | undefined) =>
    offerConnect(services, interaction, interrupted).catch((error: unknown) => {
      logFailure(interaction, error);
      return false;
    });
  const options: DispatcherOptions = {
    ...claims(store),
    async resolveDesk(interaction, clicked) {
      const { actor, desk: key, channel } = interaction;
      if (actor.account !== undefined) return;
      const { account, onlyKey } = await accountFor(services, actor, { key, clicked, channel });
      actor.account = account;
      // Modals carry the only account too: when they are submitted, it can be one of several.
      if (account === undefined) interaction.desk = onlyKey;
    },
    routes,
    command: manifest.features.slash_commands[0].command,
    clientsFor: createClients({ apiUrl: config.apiUrl, log, metrics }),
    newReference,
    isExpectedError,
    stopping: stopping.signal,
    onAnswerRefused: (actor, error) =>
      log.info({ ...actor, err: error }, 'slack refused the answer; sent a direct message instead'),
    track(work) {
      // An unhandled rejection would end the process.
      const tracked = work
        .catch((error: unknown) => log.error({ err: error }, 'slack request failed'))
        .finally(() => inFlight.delete(tracked));
      inFlight.add(tracked);
    },
    logFailure,
    errorMessageFor,
    async fail(interaction, error, interrupted) {
      logFailure(interaction, error);
      // Some events have no person, for example when the bot itself changed a message. There is no one to notify.
      if (interaction.actor.person === '') return;
      try {
        if (isDroplineError(error, 'not-connected') && (await tryOfferConnect(interaction, interrupted))) return;
        const { message } = errorMessageFor(error, interaction.actor.reference);
        await interaction.showError(message, isDroplineError(error) ? error.link : undefined);
      } catch (failure) {
        log.error({ ...interaction.actor, err: failure }, 'person not notified');
      }
    },
  };
  registerListeners(app, options);

  return {
    listener:
      receiver instanceof HTTPReceiver ? refuseUnsigned(logFirstRequest(httpListener(receiver, log), log)) : undefined,
    canInstall: socket === undefined && config.oauth !== undefined,
    start: async () => socket?.start(),
    openConnections: () => socket?.openConnections(),
    async stopListening() {
      stopping.abort();
      await socket?.stop();
    },
    async drain(graceMs) {
      const deadline = new AbortController();
      const timedOut = sleep(graceMs, undefined, { signal: deadline.signal }).then(
        () => deadline.abort(),
        () => {},
      );
      // A loop, because more work can be acknowledged during the wait.
      while (inFlight.size > 0 && !deadline.signal.aborted)
        await Promise.race([Promise.allSettled(inFlight), timedOut]);
      deadline.abort();
    },
  };
}

function authorizeBy({ botOf }: TransferUiServices['slack']) {
  return async ({ teamId }: { teamId?: string }) => {
    const bot = teamId === undefined ? undefined : await botOf(teamId);
    if (bot === undefined) throw new Error(notInstalled);
    return { botToken: bot.token, botId: bot.botId ?? '', botUserId: bot.botUserId ?? '', teamId: teamId ?? '' };
  };
}

/** The error's own message if it is expected, otherwise a general one with the reference. */
function errorMessageFor(error: unknown, reference: string): ReturnType<DispatcherOptions['errorMessageFor']> {
  const { field, others } = isDroplineError(error) ? error : { field: undefined, others: [] };
  const scope = missingScopeOf(error);
  const message =
    scope === undefined
      ? errorMessageWithReference(error, reference)
      : `Slack didn't grant Dropline the permission ${scope}. An admin can install Dropline again and allow it.`;
  return { message, field, others };
}

function createHttpReceiver(services: TransferUiServices, config: SlackConfig, scopes: string[]): HTTPReceiver {
  const { log, slack, store, publicUrl } = services;
  const { oauth } = config;
  const redirectUriPath = '/slack/oauth_redirect';
  const showRefusal = (response: ServerResponse, status: number, message: string) =>
    sendPage(response, status, refusalPage(message));
  return new HTTPReceiver({
    signingSecret: config.signingSecret,
    logger: quietLogger(log),
    bodyLimit: String(bounds.slackBodyBytes),
    processEventErrorHandler: malformedPayloadHandler(log),
    unhandledRequestTimeoutMillis: 2_500,
    unhandledRequestHandler: ({ response }) => {
      log.error({}, 'slack not acknowledged in time');
      // Bolt also calls this after it has answered with a failure.
      if (!response.headersSent) response.writeHead(404).end();
    },
    ...(oauth === undefined
      ? {}
      : {
          clientId: oauth.clientId,
          clientSecret: oauth.clientSecret,
          stateSecret: createHmac('sha256', oauth.clientSecret).update('dropline oauth state').digest('hex'),
          installationStore: {
            ...slack.installations,
            storeInstallation: (installation) => storeAndWelcome(services, installation),
          },
          scopes,
          // Without it, Slack uses the first of the app's redirect URLs, which can be one of the sign-in.
          redirectUri: publicUrl && `${publicUrl}${redirectUriPath}`,
          installerOptions: {
            redirectUriPath,
            directInstall: true,
            clientOptions: clientOptions(config.apiUrl, log),
            authorizationUrl: config.authorizeUrl,
            callbackOptions: {
              beforeInstallation: installGuard(store, log, showRefusal),
              success: ({ team, appId, bot }, _, __, response) => {
                const { id = '', name } = team ?? {};
                const page = installedPage({ team: id, teamName: name, app: appId, scopes: bot?.scopes });
                sendPage(response, 200, page);
              },
              failure: (error, _, request, response) => {
                if (isOAuthRedirectError(error)) log.info({ reason: error.code }, 'installation refused');
                else log.warn({ err: error }, 'installation failed');
                showRefusal(response, 400, installFailureText(error, request.url));
              },
            },
          },
        }),
  });
}
