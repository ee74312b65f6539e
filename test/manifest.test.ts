import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { featureRoutes } from '../src/features/routes.ts';
import type { TransferUiServices } from '../src/features/transfers/shown-kind.ts';
import { createAppLink, manifestFor, readManifest, scopesOf } from '../src/slack/manifest.ts';
import { joinRoutes } from '../src/slack/routes.ts';
import { withoutScope } from '../src/slack/scopes.ts';
import { manifestRules } from './manifest-rules.ts';

const manifest = readManifest();

// The routes are created but never called, so they need no services.
const routes = joinRoutes(featureRoutes({} as TransferUiServices));

const filled = { https: manifestFor('https://drop.example.org'), socket: manifestFor(undefined) };

test("the manifests for HTTPS and Socket Mode follow Slack's rules", () => {
  const file: unknown = JSON.parse(readFileSync(resolve(import.meta.dirname, '../manifest/app.json'), 'utf8'));
  for (const one of [file, filled.https, filled.socket])
    expect(manifestRules.safeParse(one).error?.issues).toBeUndefined();
});

test('the manifest has exactly the shortcuts that have a listener', () => {
  const named = manifest.features.shortcuts.map(({ callback_id: id }) => id);
  expect(Object.keys(routes.shortcuts).sort()).toEqual(named.sort());
});

test('the manifest subscribes to exactly the events that have a listener', () => {
  // A subscription names the kind of channel (`message.im`); the event is always `message`.
  const subscribed = manifest.settings.event_subscriptions.bot_events.map((name) =>
    name.replace(/^message\..*/, 'message'),
  );
  expect(Object.keys(routes.events).sort()).toEqual(subscribed.sort());
});

test('manifest/README.md has every scope and event; only im:history reads history', () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../manifest/README.md'), 'utf8');
  const rows = readme.split('\n').filter((row) => row.startsWith('| `'));
  const rowOf = (name: string) => rows.find((row) => row.split(' | ')[0]?.includes(`\`${name}\``));
  expect(Object.keys(withoutScope).sort()).toEqual(scopesOf(manifest).sort());
  for (const [scope, effect] of Object.entries(withoutScope)) expect(rowOf(scope)).toContain(`| ${effect} |`);
  for (const event of manifest.settings.event_subscriptions.bot_events) expect(rowOf(event), event).toBeDefined();
  expect(scopesOf(manifest).filter((scope) => /history/.test(scope))).toEqual(['im:history']);
});

test('every optional scope is also requested; otherwise Slack ignores it', () => {
  const { bot, bot_optional: optional } = manifest.oauth_config.scopes;
  expect(optional).not.toEqual([]);
  expect(bot).toEqual(expect.arrayContaining(optional));
});

test('the shortcuts and the icon meet the guidelines of the Slack Marketplace', () => {
  const folder = resolve(import.meta.dirname, '../manifest');
  // A shortcut's name starts with a verb.
  for (const { name } of manifest.features.shortcuts) expect(name).toMatch(/^(Send|Request) \w/);
  // Slack accepts square icons of 512 to 2,000 pixels.
  const icon = readFileSync(resolve(folder, 'icon.png'));
  expect([icon.toString('latin1', 1, 4), icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual(['PNG', 1024, 1024]);
});

test('the README lists every subcommand', () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../README.md'), 'utf8');
  for (const name of Object.keys(routes.commands)) expect(readme, name).toContain(`/drop ${name}`);
});

test('the HTTPS manifest uses the given host in every URL', () => {
  const text = JSON.stringify(filled.https);
  expect(text).not.toContain('dropline.example.com');
  const addresses = [...text.matchAll(/https:\/\/drop\.example\.org(\/[\w/-]+)"/g)].map(([, path]) => path);
  expect(new Set(addresses)).toEqual(
    new Set(['/slack/events', '/slack/oauth_redirect', '/connect/signed-in', '/d/signed-in', '/privacy']),
  );
  expect(filled.https).toMatchObject({ settings: { socket_mode_enabled: false } });
});

test('the Socket Mode manifest has no URL and the same bot scopes and events', () => {
  expect(JSON.stringify(filled.socket)).not.toMatch(/https?:|urls?"|"user"/);
  expect(filled.socket).toMatchObject({
    oauth_config: { scopes: { bot: scopesOf(manifest) } },
    settings: { socket_mode_enabled: true, event_subscriptions: manifest.settings.event_subscriptions },
  });
});

test('the link that creates the app has the whole manifest in under 8,000 characters', () => {
  const link = new URL(createAppLink(filled.https));
  expect(JSON.parse(link.searchParams.get('manifest_json') ?? '')).toEqual(filled.https);
  expect(link.href.length).toBeLessThan(8_000);
});
