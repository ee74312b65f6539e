export interface Migration {
  name: string;
  sql: string;
}

/**
 * Applied in this order, once each. Columns named `…_encrypted` hold encrypted text. Everything that belongs to a
 * connected account is keyed by workspace and account: several workspaces can share an account, and a workspace can
 * have several.
 */
export const migrations: readonly Migration[] = [
  {
    name: 'baseline',
    sql: `
      -- Credentials, Slack installations, CSRF tokens, settings, drafts: see collections.ts. The key and value columns are
      -- those of @keyv/postgres; expires_at is ours, because the expiry inside an encrypted value cannot be queried.
      create table dropline.keyv (
        key varchar(255) collate "C" primary key,
        value text not null,
        expires_at timestamptz
      );
      create index keyv_expires_at on dropline.keyv (expires_at) where expires_at is not null;

      create table dropline.audit (
        id uuid primary key,
        number bigint generated always as identity,
        at timestamptz not null,
        workspace text not null,
        person text not null,
        action text not null,
        outcome text not null,
        reference text not null,
        details_encrypted text not null,
        -- Where the entry is in its workspace's chain; null until it is there (see chain.ts).
        chain_number bigint,
        chain_hash text
      );
      create unique index audit_chain on dropline.audit (workspace, chain_number) where chain_number is not null;
      create index audit_unchained on dropline.audit (workspace, number) where chain_number is null;
      create index audit_newest on dropline.audit (workspace, number desc);
      create index audit_by_person on dropline.audit (workspace, person, number desc);
      create index audit_at on dropline.audit (at);

      -- ends: the last entry of a workspace's audit chain, and the last one that retention removed. is_logged: whether all
      -- entries were written to the log.
      create table dropline.chains (
        workspace text primary key,
        ends_encrypted text not null,
        is_logged boolean not null default false
      );
      create index chains_unlogged on dropline.chains (workspace) where not is_logged;

      -- The deployment's keys for receipts. All of them stay; only the newest has its private part.
      create table dropline.signing_keys (
        id text primary key,
        key_encrypted text not null
      );

      -- The finished steps of a job, so that a worker that takes it over doesn't repeat them.
      create table dropline.checkpoints (
        run text not null,
        step text not null,
        note_encrypted text,
        at timestamptz not null default now(),
        primary key (run, step)
      );
      create index checkpoints_at on dropline.checkpoints (at);

      -- Sends and requests. The details are deleted 30 days after the end. The row stays as long as the audit, so that
      -- people find their own transfers in the service's history. starts_at: until then, its sender can undo it; null if
      -- it starts at once. committed_at: right before the call that sends.
      -- entry_hash: identifies the history entry; null until the entry is found. expires_after: only of requests, for
      -- reminders; the time begins with ended_at, and the unit is a setting. reminded_at: when people were reminded, or
      -- when it was decided not to.
      create table dropline.transfers (
        id uuid primary key,
        workspace text not null,
        account text not null,
        person text not null,
        kind text not null,
        state text not null,
        content_encrypted text,
        progress_encrypted text,
        approval_encrypted text,
        locations_encrypted text,
        answers_encrypted text,
        -- Reads are limited by it.
        bytes int generated always as (
          coalesce(octet_length(content_encrypted), 0) + coalesce(octet_length(progress_encrypted), 0)
            + coalesce(octet_length(approval_encrypted), 0) + coalesce(octet_length(locations_encrypted), 0)
            + coalesce(octet_length(answers_encrypted), 0)
        ) stored,
        created_at timestamptz not null default now(),
        starts_at timestamptz,
        committed_at timestamptz,
        ended_at timestamptz,
        notified_at timestamptz,
        cancelled_by text,
        entry_hash text,
        expires_after float8 not null,
        reminded_at timestamptz
      );
      create index transfers_newest on dropline.transfers (workspace, created_at desc);
      create index transfers_of_person on dropline.transfers (workspace, person, created_at desc);
      create index transfers_open on dropline.transfers (account) where ended_at is null;
      create index transfers_unseen on dropline.transfers (account) where committed_at is not null and entry_hash is null;
      create index transfers_unreminded on dropline.transfers (workspace, account)
        where kind = 'request' and reminded_at is null;
      create index transfers_ended on dropline.transfers (ended_at) where ended_at is not null;
      create index transfers_with_content on dropline.transfers (ended_at) where content_encrypted is not null;

      -- While an account is on hold, nothing is sent from it, in any workspace: an account has one hold at most. The hold
      -- outlives the workspace that caused it, whose id is then removed.
      create table dropline.holds (
        workspace text not null,
        account text not null,
        transfer uuid not null,
        reason text not null,
        since timestamptz not null default now(),
        primary key (workspace, account)
      );
      create unique index holds_of_account on dropline.holds (account);

      -- The names of our files on an account: added before each upload, deleted when the file was removed.
      create table dropline.uploads (
        id uuid primary key,
        workspace text not null,
        account text not null,
        name_encrypted text not null,
        created_at timestamptz not null default now()
      );
      create index uploads_of_account on dropline.uploads (account, workspace);
      create index uploads_of_workspace on dropline.uploads (workspace);

      -- A row begins when an edit is requested; the lists before and after it are added when it is made. change: what was
      -- requested, until the person knows how it ended. origin: where the person made it. report: what was
      -- reported to the person. restored: names of contacts that the edit lost. After reconciling, the lists have the changed contacts only.
      create table dropline.contact_edits (
        id uuid primary key,
        workspace text not null,
        account text not null,
        person text not null,
        change_encrypted text,
        origin_encrypted text,
        report_encrypted text,
        before_encrypted text,
        after_encrypted text,
        restored_encrypted text,
        created_at timestamptz not null default now(),
        reconciled_at timestamptz,
        outcome text
      );
      create index contact_edits_open on dropline.contact_edits (account) where reconciled_at is null;
      create index contact_edits_newest on dropline.contact_edits (workspace, created_at desc);
      -- Senders see contact changes by all workspaces on the account.
      create index contact_edits_of_account on dropline.contact_edits (account, created_at desc);
      create index contact_edits_reconciled on dropline.contact_edits (reconciled_at) where reconciled_at is not null;
      create index contact_edits_with_texts on dropline.contact_edits (created_at)
        where change_encrypted is not null or origin_encrypted is not null or report_encrypted is not null;

      -- The known inbox items, so that each is announced once. Rows stay 90 days after they are gone: after an
      -- empty answer of the service, everything must not be announced again. gone_at: when the item was first missing from
      -- the inbox, or its account was no longer connected. gone_shown: its post says that it is gone. changed_at: when the
      -- item last changed, if its post is outdated. expires_from: when it was sent, in seconds since 1970; expires_after:
      -- how long it stays, in a unit that is a setting. Both are null if one is unknown: nobody is reminded of these.
      -- belongs_to: the channel, or the people, whose item it is: its files are seen by the members of a private channel, by
      -- everyone for a public one, by these people, or by admins ('admins'); by nobody until this is known.
      -- taken_by: who takes care of the item; an item that is done keeps its holder. These columns are here and not in
      -- another table, so that they are locked, listed and deleted with their item.
      create table dropline.inbox_items (
        workspace text not null,
        account text not null,
        url text not null,
        digest text not null,
        details_encrypted text,
        belongs_to text[] not null default '{}',
        first_seen timestamptz not null default now(),
        announced_at timestamptz,
        changed_at timestamptz,
        gone_at timestamptz,
        gone_shown boolean not null default false,
        expires_from float8,
        expires_after float8,
        reminded_at timestamptz,
        taken_by text,
        taken_at timestamptz,
        done_by text,
        done_at timestamptz,
        primary key (workspace, account, url)
      );
      -- Returns the same id as itemIdOf, which buttons contain. convert_to depends on the database's encoding, which
      -- never changes, so the index can use it.
      create function dropline.inbox_item_id(url text) returns text language sql immutable strict parallel safe
        as $$ select left(encode(sha256(convert_to(url, 'UTF8')), 'hex'), 32) $$;
      create index inbox_items_by_id on dropline.inbox_items (workspace, account, dropline.inbox_item_id(url));
      create index inbox_items_newest on dropline.inbox_items (workspace, account, first_seen desc, url)
        where gone_at is null;
      create index inbox_items_of_channels on dropline.inbox_items (workspace, account, belongs_to, gone_at);
      create index inbox_items_waiting on dropline.inbox_items (workspace, account) where announced_at is null;
      create index inbox_items_changed on dropline.inbox_items (workspace, account) where changed_at is not null;
      create index inbox_items_taken on dropline.inbox_items (workspace, account, taken_by)
        where taken_by is not null and done_at is null;
      create index inbox_items_unreminded on dropline.inbox_items (workspace, account)
        where expires_after is not null and reminded_at is null and gone_at is null;
      create index inbox_items_gone on dropline.inbox_items (gone_at) where gone_at is not null;

      -- When to poll each connected account. digest: of the last answer. left_out: number of items beyond the limit.
      -- left_out_until: when the newest item that was ever left out was sent, in seconds since 1970. Older items that are
      -- found later don't count as new.
      create table dropline.polls (
        workspace text not null,
        account text not null,
        next_at timestamptz not null,
        leased_until timestamptz,
        failures int not null default 0,
        digest text,
        last_at timestamptz,
        last_success_at timestamptz,
        last_failure text,
        paused_at timestamptz,
        left_out int not null default 0,
        left_out_until float8,
        restored_at timestamptz,
        primary key (workspace, account)
      );
      create index polls_due on dropline.polls (next_at) where paused_at is null;

      -- What an admin has paused. target: sending, requests or downloads.
      create table dropline.pauses (
        workspace text not null,
        account text not null,
        target text not null,
        person text not null,
        since timestamptz not null default now(),
        reason_encrypted text not null,
        primary key (workspace, account, target)
      );
    `,
  },
];
