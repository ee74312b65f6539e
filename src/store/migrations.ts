export interface Migration {
  name: string;
  sql: string;
}

/**
 * Applied in this order, once each. The statements of a released migration never change: a correction is a new one.
 * Columns named `…_sealed` hold encrypted text.
 */
export const migrations: readonly Migration[] = [
  {
    name: 'keyv',
    sql: `
      -- Credentials, Slack installations, CSRF tokens, settings, drafts: see collections.ts. The key and value columns are
      -- those of @keyv/postgres; expires_at is ours, because the expiry inside an encrypted value cannot be queried.
      create table dropline.keyv (
        key varchar(255) collate "C" primary key,
        value text not null,
        expires_at timestamptz
      );
      create index keyv_expires_at on dropline.keyv (expires_at) where expires_at is not null;
    `,
  },
  {
    name: 'ledgers',
    sql: `
      create table dropline.audit (
        id uuid primary key,
        number bigint generated always as identity,
        at timestamptz not null default now(),
        workspace text not null,
        person text not null,
        act text not null,
        outcome text not null,
        reference text not null,
        details_sealed text
      );
      create index audit_newest on dropline.audit (workspace, number desc);
      create index audit_by_person on dropline.audit (workspace, person, number desc);

      create table dropline.dispatches (
        id uuid primary key,
        workspace text not null,
        account text not null,
        person text not null,
        state text not null,
        details_sealed text not null,
        created_at timestamptz not null default now(),
        ended_at timestamptz
      );
      create index dispatches_newest on dropline.dispatches (workspace, created_at desc);
      create index dispatches_open on dropline.dispatches (account) where ended_at is null;

      -- The finished steps of a job, so that a worker that takes it over doesn't repeat them.
      create table dropline.checkpoints (
        run text not null,
        step text not null,
        note_sealed text,
        at timestamptz not null default now(),
        primary key (run, step)
      );

      -- The known inbox items, so that each is announced once. Rows stay 90 days after they were last seen: after an
      -- empty answer of the service, everything must not be announced again.
      create table dropline.inbox_items (
        workspace text not null,
        account text not null,
        url text not null,
        first_seen timestamptz not null default now(),
        last_seen timestamptz not null default now(),
        announced_at timestamptz,
        details_sealed text,
        primary key (workspace, account, url)
      );
      create index inbox_items_waiting on dropline.inbox_items (workspace) where announced_at is null;

      -- The contact list before and after an edit, until it is known which of them the service has.
      create table dropline.contact_images (
        id uuid primary key,
        workspace text not null,
        account text not null,
        person text not null,
        before_sealed text not null,
        after_sealed text not null,
        created_at timestamptz not null default now(),
        settled_at timestamptz,
        outcome text
      );
      create index contact_images_open on dropline.contact_images (account) where settled_at is null;
    `,
  },
  {
    name: 'operations',
    sql: `
      -- Details are deleted 30 days after the end. The row stays as long as the audit, so that people find their own
      -- transfers in the service's history. entry_mark identifies the history entry; it is null until the entry is found.
      alter table dropline.dispatches
        alter column details_sealed drop not null,
        add column kind text not null default 'dispatch',
        add column cancelled_by text,
        add column committed_at timestamptz,
        add column entry_mark text,
        add column told_at timestamptz;
      create index dispatches_of_person on dropline.dispatches (workspace, person, created_at desc);
      create index dispatches_unseen on dropline.dispatches (account)
        where committed_at is not null and entry_mark is null;

      -- While an account is on hold, nothing is sent from it. The hold outlives the workspace that caused it.
      create table dropline.holds (
        account text primary key,
        dispatch uuid not null,
        reason text not null,
        since timestamptz not null default now()
      );

      -- The names of our files on an account: added before each upload, deleted when the file was removed.
      create table dropline.uploads (
        id uuid primary key,
        workspace text not null,
        account text not null,
        name_sealed text not null,
        created_at timestamptz not null default now()
      );
      create index uploads_of_account on dropline.uploads (account);

      -- The edit that an image belongs to, so that a worker that takes the edit over knows whether it was done.
      alter table dropline.contact_images add column edit text not null default '';
      create index contact_images_of_edit on dropline.contact_images (edit);
      create index contact_images_newest on dropline.contact_images (workspace, created_at desc);

      -- gone_at: when the item was first missing from the inbox. gone_shown: its post says that it is gone. changed_at:
      -- when the item last changed, if its post is outdated.
      alter table dropline.inbox_items
        add column digest text not null default '',
        add column gone_at timestamptz,
        add column gone_shown boolean not null default false,
        add column changed_at timestamptz;
      create index inbox_items_changed on dropline.inbox_items (workspace) where changed_at is not null;

      -- When to poll each workspace. account and digest: of the last poll. The first poll of another account announces
      -- no item as new.
      create table dropline.polls (
        workspace text primary key,
        next_at timestamptz not null,
        leased_until timestamptz,
        failures int not null default 0,
        account text,
        digest text,
        last_at timestamptz,
        last_success_at timestamptz,
        last_failure text,
        paused_at timestamptz
      );
      create index polls_due on dropline.polls (next_at) where paused_at is null;
    `,
  },
  {
    name: 'changes-of-account',
    sql: `
      -- Senders see contact changes by all workspaces on the account.
      create index contact_images_of_account on dropline.contact_images (account, created_at desc);
    `,
  },
  {
    name: 'bounded-inbox',
    sql: `
      -- Returns the same id as itemIdOf, which buttons contain. convert_to depends on the database's encoding, which
      -- never changes, so the index can use it.
      create function dropline.inbox_item_id(url text) returns text language sql immutable strict parallel safe
        as $$ select left(encode(sha256(convert_to(url, 'UTF8')), 'hex'), 32) $$;
      create index inbox_items_by_id on dropline.inbox_items (workspace, account, dropline.inbox_item_id(url));
      create index inbox_items_newest on dropline.inbox_items (workspace, account, first_seen desc, url)
        where gone_at is null;

      -- left_out: number of items beyond the limit. left_out_until: when the newest item that was ever left out was
      -- sent, in seconds since 1970. Older items that are found later don't count as new.
      alter table dropline.polls add column left_out int not null default 0, add column left_out_until float8;
    `,
  },
  {
    name: 'retention',
    sql: `
      -- The sweep looks for expired rows of all workspaces every hour.
      create index audit_at on dropline.audit (at);
      create index dispatches_ended on dropline.dispatches (ended_at) where ended_at is not null;
      create index dispatches_with_details on dropline.dispatches (ended_at) where details_sealed is not null;
      create index contact_images_settled on dropline.contact_images (settled_at) where settled_at is not null;
      create index inbox_items_gone on dropline.inbox_items (gone_at) where gone_at is not null;
      create index checkpoints_at on dropline.checkpoints (at);
      -- For deleting the data of a workspace.
      create index uploads_of_workspace on dropline.uploads (workspace);
    `,
  },
  {
    name: 'one-row-per-edit',
    sql: `
      -- A row begins when an edit is requested; its lists are added when it is made. Before, the rest was in collections.
      -- change: what was requested, until the person knows how it ended. waiter: where the person waits. report: what
      -- the person was told. restored: names of contacts that the edit lost.
      alter table dropline.contact_images
        alter column before_sealed drop not null,
        alter column after_sealed drop not null,
        add column change_sealed text,
        add column waiter_sealed text,
        add column report_sealed text,
        add column restored_sealed text;
      create index contact_images_with_texts on dropline.contact_images (created_at)
        where change_sealed is not null or waiter_sealed is not null or report_sealed is not null;
    `,
  },
  {
    name: 'pauses',
    sql: `
      -- What an admin has paused. target: sending, requests or downloads.
      create table dropline.pauses (
        workspace text not null,
        target text not null,
        person text not null,
        since timestamptz not null default now(),
        reason_sealed text not null,
        primary key (workspace, target)
      );
    `,
  },
  {
    name: 'inbox-work',
    sql: `
      -- Who takes care of an item, and who marked it as done. An item that is done keeps its holder. The columns are
      -- here and not in another table, so that they are locked, listed and deleted with their item.
      alter table dropline.inbox_items
        add column taken_by text,
        add column taken_at timestamptz,
        add column done_by text,
        add column done_at timestamptz;
      create index inbox_items_taken on dropline.inbox_items (workspace, account, taken_by)
        where taken_by is not null and done_at is null;
    `,
  },
  {
    name: 'reminders',
    sql: `
      -- expiry_from: when the item was sent, in seconds since 1970. expiry_ttl: its time to live; the unit is a setting.
      -- Both are null if they are unknown, and in rows of earlier versions: nobody is reminded of these. reminded_at:
      -- when people were reminded, or when it was decided not to. Whether a single message was sent is in keyv.
      alter table dropline.inbox_items
        add column expiry_from float8,
        add column expiry_ttl float8,
        add column reminded_at timestamptz;
      create index inbox_items_unreminded on dropline.inbox_items (workspace, account)
        where expiry_ttl is not null and reminded_at is null and gone_at is null;

      -- The same for requests. Their time begins with ended_at.
      alter table dropline.dispatches add column expiry_ttl float8, add column reminded_at timestamptz;
      create index dispatches_unreminded on dropline.dispatches (workspace, account)
        where expiry_ttl is not null and reminded_at is null;
    `,
  },
];
