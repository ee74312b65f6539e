import { authMethods } from './auth.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { fileMethods } from './files.ts';
import { manifestMethods } from './manifest.ts';
import type { Method } from './method.ts';
import { oauthMethods } from './oauth.ts';
import { userMethods } from './users.ts';
import { viewMethods } from './views.ts';

export const methods: Readonly<Record<string, Method>> = {
  ...authMethods,
  ...oauthMethods,
  ...manifestMethods,
  ...chatMethods,
  ...conversationMethods,
  ...userMethods,
  ...viewMethods,
  ...fileMethods,
};

/**
 * Methods of Slack that this server doesn't implement, with the scope that Slack requires. Without the scope, the token
 * is refused as in Slack; with it, the answer is `unknown_method`.
 */
export const notSimulated: Readonly<Record<string, string>> = {
  'bookmarks.add': 'bookmarks:write',
  'bots.info': 'users:read',
  'chat.scheduleMessage': 'chat:write',
  'chat.unfurl': 'links:write',
  'conversations.create': 'channels:manage',
  'conversations.history': 'channels:history',
  'conversations.invite': 'channels:write.invites',
  'conversations.join': 'channels:join',
  'conversations.leave': 'channels:manage',
  'conversations.list': 'channels:read',
  'conversations.open': 'im:write',
  'conversations.replies': 'channels:history',
  'files.list': 'files:read',
  'files.remote.add': 'remote_files:write',
  'pins.add': 'pins:write',
  'reactions.add': 'reactions:write',
  'team.info': 'team:read',
  'usergroups.list': 'usergroups:read',
  'users.list': 'users:read',
  'users.lookupByEmail': 'users:read.email',
  'users.profile.get': 'users.profile:read',
};
