SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET client_min_messages = warning;

CREATE SCHEMA dropline;

CREATE SCHEMA graphile_worker;

CREATE TYPE graphile_worker.job_spec AS (
	identifier text,
	payload json,
	queue_name text,
	run_at timestamp with time zone,
	max_attempts smallint,
	job_key text,
	priority smallint,
	flags text[]
);

CREATE TABLE graphile_worker._private_jobs (
    id bigint NOT NULL,
    job_queue_id integer,
    task_id integer NOT NULL,
    payload json DEFAULT '{}'::json NOT NULL,
    priority smallint DEFAULT 0 NOT NULL,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    max_attempts smallint DEFAULT 25 NOT NULL,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    key text,
    locked_at timestamp with time zone,
    locked_by text,
    revision integer DEFAULT 0 NOT NULL,
    flags jsonb,
    is_available boolean GENERATED ALWAYS AS (((locked_at IS NULL) AND (attempts < max_attempts))) STORED NOT NULL,
    CONSTRAINT jobs_key_check CHECK (((length(key) > 0) AND (length(key) <= 512))),
    CONSTRAINT jobs_max_attempts_check CHECK ((max_attempts >= 1))
);

CREATE FUNCTION graphile_worker.add_job(identifier text, payload json DEFAULT NULL::json, queue_name text DEFAULT NULL::text, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, max_attempts integer DEFAULT NULL::integer, job_key text DEFAULT NULL::text, priority integer DEFAULT NULL::integer, flags text[] DEFAULT NULL::text[], job_key_mode text DEFAULT 'replace'::text) RETURNS graphile_worker._private_jobs
    LANGUAGE plpgsql
    AS $$
declare
  v_job "graphile_worker"._private_jobs;
begin
  if (job_key is null or job_key_mode is null or job_key_mode in ('replace', 'preserve_run_at')) then
    select * into v_job
    from "graphile_worker".add_jobs(
      ARRAY[(
        identifier,
        payload,
        queue_name,
        run_at,
        max_attempts::smallint,
        job_key,
        priority::smallint,
        flags
      )::"graphile_worker".job_spec],
      (job_key_mode = 'preserve_run_at')
    )
    limit 1;
    return v_job;
  elsif job_key_mode = 'unsafe_dedupe' then
    -- Ensure all the tasks exist
    insert into "graphile_worker"._private_tasks as tasks (identifier)
    values (add_job.identifier)
    on conflict do nothing;
    -- Ensure all the queues exist
    if add_job.queue_name is not null then
      insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
      values (add_job.queue_name)
      on conflict do nothing;
    end if;
    -- Insert job, but if one already exists then do nothing, even if the
    -- existing job has already started (and thus represents an out-of-date
    -- world state). This is dangerous because it means that whatever state
    -- change triggered this add_job may not be acted upon (since it happened
    -- after the existing job started executing, but no further job is being
    -- scheduled), but it is useful in very rare circumstances for
    -- de-duplication. If in doubt, DO NOT USE THIS.
    insert into "graphile_worker"._private_jobs as jobs (
      job_queue_id,
      task_id,
      payload,
      run_at,
      max_attempts,
      key,
      priority,
      flags
    )
      select
        job_queues.id,
        tasks.id,
        coalesce(add_job.payload, '{}'::json),
        coalesce(add_job.run_at, now()),
        coalesce(add_job.max_attempts::smallint, 25::smallint),
        add_job.job_key,
        coalesce(add_job.priority::smallint, 0::smallint),
        (
          select jsonb_object_agg(flag, true)
          from unnest(add_job.flags) as item(flag)
        )
      from "graphile_worker"._private_tasks as tasks
      left join "graphile_worker"._private_job_queues as job_queues
      on job_queues.queue_name = add_job.queue_name
      where tasks.identifier = add_job.identifier
    on conflict (key)
      -- Bump the updated_at so that there's something to return
      do update set
        revision = jobs.revision + 1,
        updated_at = now()
      returning *
      into v_job;
    if v_job.revision = 0 then
      perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":1}');
    end if;
    return v_job;
  else
    raise exception 'Invalid job_key_mode value, expected ''replace'', ''preserve_run_at'' or ''unsafe_dedupe''.' using errcode = 'GWBKM';
  end if;
end;
$$;

CREATE FUNCTION graphile_worker.add_jobs(specs graphile_worker.job_spec[], job_key_preserve_run_at boolean DEFAULT false) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE plpgsql
    AS $$
begin
  -- Ensure all the tasks exist
  insert into "graphile_worker"._private_tasks as tasks (identifier)
  select distinct spec.identifier
  from unnest(specs) spec
  on conflict do nothing;
  -- Ensure all the queues exist
  insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
  select distinct spec.queue_name
  from unnest(specs) spec
  where spec.queue_name is not null
  on conflict do nothing;
  -- Ensure any locked jobs have their key cleared - in the case of locked
  -- existing job create a new job instead as it must have already started
  -- executing (i.e. it's world state is out of date, and the fact add_job
  -- has been called again implies there's new information that needs to be
  -- acted upon).
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  from unnest(specs) spec
  where spec.job_key is not null
  and jobs.key = spec.job_key
  and is_available is not true;

  -- WARNING: this count is not 100% accurate; 'on conflict' clause will cause it to be an overestimate
  perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":' || array_length(specs, 1)::text || '}');

  -- TODO: is there a risk that a conflict could occur depending on the
  -- isolation level?
  return query insert into "graphile_worker"._private_jobs as jobs (
    job_queue_id,
    task_id,
    payload,
    run_at,
    max_attempts,
    key,
    priority,
    flags
  )
    select
      job_queues.id,
      tasks.id,
      coalesce(spec.payload, '{}'::json),
      coalesce(spec.run_at, now()),
      coalesce(spec.max_attempts, 25),
      spec.job_key,
      coalesce(spec.priority, 0),
      (
        select jsonb_object_agg(flag, true)
        from unnest(spec.flags) as item(flag)
      )
    from unnest(specs) spec
    inner join "graphile_worker"._private_tasks as tasks
    on tasks.identifier = spec.identifier
    left join "graphile_worker"._private_job_queues as job_queues
    on job_queues.queue_name = spec.queue_name
  on conflict (key) do update set
    job_queue_id = excluded.job_queue_id,
    task_id = excluded.task_id,
    payload =
      case
      when json_typeof(jobs.payload) = 'array' and json_typeof(excluded.payload) = 'array' then
        (jobs.payload::jsonb || excluded.payload::jsonb)::json
      else
        excluded.payload
      end,
    max_attempts = excluded.max_attempts,
    run_at = (case
      when job_key_preserve_run_at is true and jobs.attempts = 0 then jobs.run_at
      else excluded.run_at
    end),
    priority = excluded.priority,
    revision = jobs.revision + 1,
    flags = excluded.flags,
    -- always reset error/retry state
    attempts = 0,
    last_error = null,
    updated_at = now()
  where jobs.locked_at is null
  returning *;
end;
$$;

CREATE FUNCTION graphile_worker.complete_jobs(job_ids bigint[]) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE sql
    AS $$
  delete from "graphile_worker"._private_jobs as jobs
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < now() - interval '4 hours'
    )
    returning *;
$$;

CREATE FUNCTION graphile_worker.force_unlock_workers(worker_ids text[]) RETURNS void
    LANGUAGE sql
    AS $$
update "graphile_worker"._private_jobs as jobs
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
update "graphile_worker"._private_job_queues as job_queues
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
$$;

CREATE FUNCTION graphile_worker.permanently_fail_jobs(job_ids bigint[], error_message text DEFAULT NULL::text) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE sql
    AS $$
  update "graphile_worker"._private_jobs as jobs
    set
      last_error = coalesce(error_message, 'Manually marked as failed'),
      attempts = max_attempts,
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$$;

CREATE FUNCTION graphile_worker.remove_job(job_key text) RETURNS graphile_worker._private_jobs
    LANGUAGE plpgsql STRICT
    AS $$
declare
  v_job "graphile_worker"._private_jobs;
begin
  -- Delete job if not locked
  delete from "graphile_worker"._private_jobs as jobs
    where key = job_key
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
  returning * into v_job;
  if not (v_job is null) then
    perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":-1}');
    return v_job;
  end if;
  -- Otherwise prevent job from retrying, and clear the key
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  where key = job_key
  returning * into v_job;
  return v_job;
end;
$$;

CREATE FUNCTION graphile_worker.reschedule_jobs(job_ids bigint[], run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, priority integer DEFAULT NULL::integer, attempts integer DEFAULT NULL::integer, max_attempts integer DEFAULT NULL::integer) RETURNS SETOF graphile_worker._private_jobs
    LANGUAGE sql
    AS $$
  update "graphile_worker"._private_jobs as jobs
    set
      run_at = coalesce(reschedule_jobs.run_at, jobs.run_at),
      priority = coalesce(reschedule_jobs.priority::smallint, jobs.priority),
      attempts = coalesce(reschedule_jobs.attempts::smallint, jobs.attempts),
      max_attempts = coalesce(reschedule_jobs.max_attempts::smallint, jobs.max_attempts),
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$$;

CREATE TABLE dropline.audit (
    id uuid NOT NULL,
    number bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    workspace text NOT NULL,
    person text NOT NULL,
    act text NOT NULL,
    outcome text NOT NULL,
    reference text NOT NULL,
    details_sealed text
);

ALTER TABLE dropline.audit ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME dropline.audit_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE dropline.checkpoints (
    run text NOT NULL,
    step text NOT NULL,
    note_sealed text,
    at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE dropline.contact_images (
    id uuid NOT NULL,
    workspace text NOT NULL,
    account text NOT NULL,
    person text NOT NULL,
    before_sealed text NOT NULL,
    after_sealed text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    settled_at timestamp with time zone,
    outcome text,
    edit text DEFAULT ''::text NOT NULL
);

CREATE TABLE dropline.dispatches (
    id uuid NOT NULL,
    workspace text NOT NULL,
    account text NOT NULL,
    person text NOT NULL,
    state text NOT NULL,
    details_sealed text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    kind text DEFAULT 'dispatch'::text NOT NULL,
    cancelled_by text,
    committed_at timestamp with time zone,
    entry_mark text,
    told_at timestamp with time zone
);

CREATE TABLE dropline.holds (
    account text NOT NULL,
    dispatch uuid NOT NULL,
    reason text NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE dropline.inbox_items (
    workspace text NOT NULL,
    account text NOT NULL,
    url text NOT NULL,
    first_seen timestamp with time zone DEFAULT now() NOT NULL,
    last_seen timestamp with time zone DEFAULT now() NOT NULL,
    announced_at timestamp with time zone,
    details_sealed text,
    digest text DEFAULT ''::text NOT NULL,
    gone_at timestamp with time zone,
    gone_shown boolean DEFAULT false NOT NULL,
    changed_at timestamp with time zone
);

CREATE TABLE dropline.keyv (
    key character varying(255) NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL,
    expires_at timestamp with time zone
);

CREATE TABLE dropline.migrations (
    number integer NOT NULL,
    name text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE dropline.polls (
    workspace text NOT NULL,
    next_at timestamp with time zone NOT NULL,
    leased_until timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    account text,
    digest text,
    last_at timestamp with time zone,
    last_success_at timestamp with time zone,
    last_failure text,
    paused_at timestamp with time zone
);

CREATE TABLE dropline.uploads (
    id uuid NOT NULL,
    workspace text NOT NULL,
    account text NOT NULL,
    name_sealed text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE graphile_worker._private_job_queues (
    id integer NOT NULL,
    queue_name text NOT NULL,
    locked_at timestamp with time zone,
    locked_by text,
    is_available boolean GENERATED ALWAYS AS ((locked_at IS NULL)) STORED NOT NULL,
    CONSTRAINT job_queues_queue_name_check CHECK ((length(queue_name) <= 128))
);

CREATE TABLE graphile_worker._private_known_crontabs (
    identifier text NOT NULL,
    known_since timestamp with time zone NOT NULL,
    last_execution timestamp with time zone
);

CREATE TABLE graphile_worker._private_tasks (
    id integer NOT NULL,
    identifier text NOT NULL,
    CONSTRAINT tasks_identifier_check CHECK ((length(identifier) <= 128))
);

ALTER TABLE graphile_worker._private_job_queues ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME graphile_worker.job_queues_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW graphile_worker.jobs AS
 SELECT jobs.id,
    job_queues.queue_name,
    tasks.identifier AS task_identifier,
    jobs.priority,
    jobs.run_at,
    jobs.attempts,
    jobs.max_attempts,
    jobs.last_error,
    jobs.created_at,
    jobs.updated_at,
    jobs.key,
    jobs.locked_at,
    jobs.locked_by,
    jobs.revision,
    jobs.flags
   FROM ((graphile_worker._private_jobs jobs
     JOIN graphile_worker._private_tasks tasks ON ((tasks.id = jobs.task_id)))
     LEFT JOIN graphile_worker._private_job_queues job_queues ON ((job_queues.id = jobs.job_queue_id)));

ALTER TABLE graphile_worker._private_jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME graphile_worker.jobs_id_seq1
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE graphile_worker.migrations (
    id integer NOT NULL,
    ts timestamp with time zone DEFAULT now() NOT NULL,
    breaking boolean DEFAULT false NOT NULL
);

ALTER TABLE graphile_worker._private_tasks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME graphile_worker.tasks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

INSERT INTO dropline.audit OVERRIDING SYSTEM VALUE VALUES
	('70683361-a2d2-4b3b-916c-69b15296f4bb', 1, '2026-11-15 23:16:22.415119+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'connect', 'done', 'YGV8X3C2', 's1.ejEKUtPs.cbL7wFG1Ph__N2xE66KptbQofmHOMO4hob8NZebmal9YuhX5lFpscuWapUonzX_lFPEcAO6dy_Q-ZaA-_K1eCseyEsmctCNxVf6GgQZ7lN4FL15b8TzSuVwO0O086V9j0Bm4tpfpCquhkG_QlfF4zLUWwgXWdLAUxwj0Jw'),
	('2d84270c-a071-4d25-8381-e6514ac5197d', 2, '2026-11-15 23:16:27.950255+00', 'T9SLZXR74L9', 'UFERBLS02V0', 'connect', 'done', '5Z2HZ35P', 's1.ejEKUtPs.OqI1pveG9iFgaDihu_txWhHYYEiKOaSL5Em_JaEEKuVNG2oOtiQS8HlG0Ht6vC3GShD6JuBjZdz3QlpOnHr4_FLtDRncb-a6RRzGuhcVj6ZXzTZaeZNWb_5yn70iq7t5yAgo3ocxxjk1yXbDi-lRoozPMVfBesMMkDYmP-w'),
	('1a97ef92-e6a4-4669-ab33-c8efa52e35ae', 3, '2026-11-15 23:16:31.098834+00', 'TQEN5TBUIO5', 'U2AXPR7EMWL', 'connect', 'done', 'PE3RNRY8', 's1.ejEKUtPs.xNqxhQM8-8H07lu3XZOhLhYmncuGyPRU7DUDOPq26y7PCJJ8JMXGVBb_FuF6dw840tP9SDFmF9M888AlzYi_HTa531NjwNv0_JJf0vv3fg0SryX32VmFvBRsHkzzrjl9NbvwxEn5z5enLtugJS75dE8WraHiymg_THuG5yE'),
	('35a4b68f-e262-4471-b513-fddb197b12ab', 4, '2026-11-15 23:16:34.067888+00', 'TP7TJY6AY23', 'UTQYU2BSMR8', 'connect', 'done', '8Z4HXMEN', 's1.ejEKUtPs.ZbA41OGh164OZnsvikzJtuaFldmumjVUqs8sAuwUM5afNfIHDGMCZUljbBtdtbpLKVLljg2Z8cJYqlysEmehmzQkHpW_Kp0tenMeVK40SasX20vOeW-UH7deFI3-e3qdy6YEweKcGzBoPLwQRwbrql8Vo_x9siJ3cU594A'),
	('2afaf97b-8691-4b71-a524-a331a45ae0c2', 5, '2026-11-15 23:16:42.763908+00', 'T65C80LO67B', 'UDMYABNLIVO', 'connect', 'done', 'SBEEFNV7', 's1.ejEKUtPs.4lisf_DDUSK6M_PyDDlj-B-BTshOLAdwEfR2ij3E2pXeTeTdF1q1odYZK7eRwETXIE53KYXBcJAZ92mGFUfqJzh9odEKifULOlh4P2SobvTIeEfMAjcaCCcHHc-TM3VgbbYO3N_2RLg3-tcfLyn5ECD8kiJR4TBbiZTe'),
	('6c07c2c2-356d-403b-a982-a39cea915bd5', 6, '2026-11-15 23:16:46.021797+00', 'TJ6IVXP1ZW6', 'UGJOUAH3SC3', 'connect', 'done', '5M9U7DSC', 's1.ejEKUtPs.0M7gSl_cgdOm0W9vhJ4NKjtxi3nr6RDvqm6z60mOZHgN6iXGjIpvT3lIq6KVlYSOee7iR9Gf369UHYssN8nTdtRR53TgMc4zHH7KyGKz7gTrqqHqOeMr27u5i2fodUPTWAWFXnWb3URyt20iDQn0O_ee4MedK-mAprBZ'),
	('7f11d120-6861-4373-9620-226c818cada9', 7, '2026-11-15 23:16:50.445874+00', 'TUYA14EHO65', 'U3T2A0HWY0G', 'connect', 'done', '8GJ4TS4Y', 's1.ejEKUtPs.Y1ck72cgo1zNPcfFWT1ntgRv4XffyuyvPl8l-AVVN5AiETRJ-hLH9O7HwaznbxOGePl_UPeLwr15-pPS7akMaBWvbyntJQ3_XQzJWGYsvEvAMxNePhrvRP4ENnnE68xYHNApBUa-9Xd-5ksiFGOE9G3v1AfJvUDdZwDFqg'),
	('65548bf2-cd45-495f-b341-7521be50af2e', 8, '2026-11-15 23:16:56.550208+00', 'TZQ7PWU07K0', 'U2LQ1U4XY57', 'connect', 'done', 'KDUQFZHF', 's1.ejEKUtPs.XkKZLRwcZX-_kft71HzzBiUOq4MkVyz56-jJ9-gJSjwxot9c0Zb-5Jq-b-qVuZXVhnV7-mq32ktrV4ehNwTflXmsm17Ppha2u_-oDgzFBdANxP7nx6indhZjf16UbW2v08EyAs4Hdjmr3ep1QWPBzPouKpFDJQ35ZRPw3cc'),
	('8422b886-966f-4719-a31d-2c14b186139f', 9, '2026-11-15 23:17:00.056132+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', 'YD4WUK5G', 's1.ejEKUtPs.t7TYht7DejkWzQeTDjymyY8tGVnmvTaPPOFnsqSGE8-RY1M2vl7UeHQir5gCpaTj6upuOByzABIqsGjyGG1dSPj7B2lbihD9O7Cr0QIyx8O7LxRy6zNXOs9Xjm2Ne_HTlYqUOrBxxiljH_vPJ7p0VneOLTt6Pt6lnV5EF0dK_-tk6FzWKjMX9x4InklT2KT5Xc3zltEEpfSTee3djKwK6Ty_JmAmclyiCBYskQiue1KlEUVwig9KFIHlSzdmItbCjPbrnhUWdVNLcg_6Kxuf3ZefBQ'),
	('ad6372a9-49d2-40a1-a7cf-dc24db86527d', 10, '2026-11-15 23:17:01.011919+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', '4TGR9K5D', 's1.ejEKUtPs.xHsiBPUG_y1A2-wVfNdU_vi2ZtyJRVuUQ8IhRLTjobzOZsAV15fkWn7SM4H6kIEOp_FgiAWA54SjQG8DDo8ab1JeLuRzkm3LoTTtMkJYfB3tuzQnqll8V_t-wl9-Kcbwo5svkJ_pESJ8W6dEr5hfSat4Igt2hAUUii4JJC3JNnVVbetP4YNgST4QSa1rLP5IXCh_EqWpkSo5z4ViNJ8hKPQxF7csIB237G5MN4A0Tpkg3aHo0i9c8uVn8zelfTyJlt-8ljXsu73iwrW64PK1icdJdwjHYvzoBVO_YyBqnOp4VeJdOu42YohMp_OsndweOGrYqfWcp8q0JBODw9-UAV-Usfd8oYjjUCN31W0'),
	('c001de45-010b-4f77-bd37-62f0140f363a', 11, '2026-11-15 23:17:02.002944+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', 'HSRPBRXR', 's1.ejEKUtPs.LH7i_-L7Sruvel3OQ9AOnPZCmC9nZP7NY5tGxvkTVfiKOgeW5OsiO_5x'),
	('0cb82e60-a526-47b0-a6de-f0e966ff110c', 12, '2026-11-15 23:17:02.913055+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', '4ZSQE6EU', 's1.ejEKUtPs.PsW6WSfdc7odiqVxVlEQk8BY3t5X8ydrz-7qPPCi9vzDtMAVqEOErTjhL--EDzFkgoDBTvZPwhC4Cvk8bDbR9HEipNTi5BIllxNOpzSFMThAUzQlhTUyCFS4q_ZVuf5cgE97'),
	('47fee0c5-6a80-4ae5-be6d-a5e8de4914d8', 13, '2026-11-15 23:17:04.361868+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', 'FF5TCH9F', 's1.ejEKUtPs.C-655jsYxGbbx1rIWf8gkJf3JeKDPLwuFL0ipSpOJXd9G180HvB_mcdIK9OFAix0dhI3znRNHarpBEUgBUL7XqPwH5E3916PYlRX6s-8c8oEdPUej0bgirLqt_Xhixa8nFdy'),
	('fff940be-3f6b-4af9-aa7e-d399950d7c71', 14, '2026-11-15 23:17:06.335987+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', 'ZBD2JDBA', 's1.ejEKUtPs.v4cy6Hv14wX_ACLWgs9yEXUc8r-Y2zqVW-OFy1wMx_l9HdM9C-CjIoQ-vykquyQLIsuIJ_9Y_nBqDBibmzhm7RWQFdEA6ac-pZaUiIMQ68lTDBXK_dXH3KuKwEjxhHEgn-ix'),
	('9a19f13b-112b-4fc5-8f99-129818ef1a8b', 15, '2026-11-15 23:17:07.656937+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', 'SXF9F3EA', 's1.ejEKUtPs.7IZ3OcfAZjkcpYoI4BvMHP20fEPwovJrrPIaeh9GCF-BX7pAyv7dZExBw8h6R4C7IR8Yg3O-WONzf4Ot5qfujQATAFXFT3909XkfybL-ZRT5E9B4bneI9feJR0ow-FZWJrFe'),
	('1f176e09-49bb-4ffc-bec7-d1de24ea54c9', 16, '2026-11-15 23:17:08.354655+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', 'VGKX84Y3', 's1.ejEKUtPs._-PNy7lhm8l9FRkdyD6oMsc86NvxwsSDnuqv62J1ysqIob1hMhgI0-jq2UuCGpZGlWLt7bohu4uhMUBbtnqViTrazqVdYUFPcSVtLw9rfBzJPq7KMJUgZklNVadEeSY7qp2Z'),
	('b8b39477-a982-4f1b-a985-bcdf73a1ddda', 17, '2026-11-15 23:17:09.707105+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', 'FU4TV9DD', 's1.ejEKUtPs.OR1aE4PLLQ6KCHPaVJEtewR51LXTcAbd9dFn8XyEj7Wk6C9OszFUIoTgQdZ68iDH3qX6gKNrrOX-aryZNAPcF_5g1Wu83yZs8ZSVJnvt3An-_1F5aXcSfQB1mrFJN7gmQ6AL'),
	('09220112-2100-4e6e-9190-e5f2f213c461', 18, '2026-11-15 23:17:10.558522+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', '26KB24UK', 's1.ejEKUtPs.L8aForahgrylmyzvk1RKJBmOBtRD99xATtPPIvheuaATxkoxYZdxE1R7jPFLWjPwmemkCOf3jqgUwTV3A_YchThRbzDG7MpjbT8M0aksPidb8d3ftCZIqeX3vOKhf3Fu5TFD'),
	('95fd23ff-791a-4ab3-816d-67a2f2d407dd', 19, '2026-11-15 23:17:10.936+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', 'UJRJHER8', 's1.ejEKUtPs.-0ud30rNhFU6uZNsp3Y5ldXag6q8QiZrUAuUCE9cB-1rwvx2yw6AHge2w5JuwtkQhudXss3bMxHWtqA2dYaL1iqfRt7moxK_vKLrHVOfVHKrpOGQzJmG2lzI8h80AcgDeO1S'),
	('8788b003-41b1-4730-ba6e-b19ba0a9a649', 20, '2026-11-15 23:17:11.834946+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', 'BETPQQK6', 's1.ejEKUtPs.XrFz3GAOEX7yvJ9U8bsGTSZO3nfSgmF4r6_wf5YXmufk0vYhZkk8ehlMWC0YeGeBi_imU3SmQ09JCs4JvJdyZSSiTVaJbnXdcAAnKABqa3DPf5KD5xdpZQ2mbSrMId5W9UsM'),
	('76aafdd1-8fb5-46e1-92e0-1366f9726ef6', 21, '2026-11-15 23:17:12.630168+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', 'E7TPRPQY', 's1.ejEKUtPs.qY0EJ-ecqeiYh99K_f5Q3RU2GF9Kbn7KpExVlsk0rwX-aDUckZxRQampv5rdEbcdeHQMAQB2ucKfekfPQrtJFdMfZH-7LmOEKONOU-3utiJFApv63QFnJqgRZYS3ARiyNHkM'),
	('0edb6af0-9bd4-4408-a52c-3f1e34279dde', 22, '2026-11-15 23:17:13.837142+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', 'E5UD7S48', 's1.ejEKUtPs.a8hWed2aOIKo9lMeFWGsw2Kx11V5tslIgDwieSXI7K2EAX6jd8iWfzAO_Mmkvo9hyI99zwLnCZt8ZBBViVd5pf4iyEc-94TfNJxDPmON8pUZOxqOCFfMEyuYlLZSz4GjQwXV'),
	('eca4bb71-b1c2-4455-bd19-397a97cb32f5', 23, '2026-11-15 23:17:14.532909+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', 'SMKQSZ9V', 's1.ejEKUtPs.qwJXu_hdxulnC9XvF_qvqKkd8NvPzaazQYcS-xOv7aHaxxHZqgA1jwJuuhrm0_wuuf7WLtLsWcWB6cb0YuEpYBz4_wVidwK4XAk1j9cuPg'),
	('78d47b9c-fd1e-4e42-a198-9f2da3588e9c', 24, '2026-11-15 23:17:15.395929+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'settings', 'done', 'N6CG8ZCK', 's1.ejEKUtPs.-haRcgYZAuS3e6UWQUw-iVlIhrtABwfBKzc6TFwrWjhjC_EuSUoIYd7TWg3M8o7_yyGZ_Tzr5Nq07Td9-WCrpqS4Sk79dABH_cPCUZyKHfICf0DAAEVVD-Di-2X-'),
	('1b5bf190-4117-430f-ab8f-0c859ff00798', 25, '2026-11-15 23:17:16.132241+00', 'T9SLZXR74L9', 'UFERBLS02V0', 'settings', 'done', 'PFBS93KJ', 's1.ejEKUtPs.dQ5ERkPizDAZe9L5wXPXWdvDuDgqva1DRYXHjZPxjjSIxKS-ciMERA1UA9inxt0v2ExVCV6jpdk6KCW9ZI15_uGALaFg8cokk_atdHU-TnFzghT0Gq_FjlD3nxlOgWW11UuiqEaTpOUDPcTjp7ZefoV1PLEc1ujdE3BN9Ch1Kw'),
	('3a345d89-c191-4134-bbce-5f2bab540b10', 26, '2026-11-15 23:17:16.488969+00', 'TZQ7PWU07K0', 'U2LQ1U4XY57', 'settings', 'done', 'TXR4MVQV', 's1.ejEKUtPs.9sAZt-etn3seT1bpQrK-WjNNbGRBxsD-qB1sCUXeMOPdzDQWytUGUClHf2a925xltNiWLNoeeQZWKSLbnXfX-Y4Tvvg6ulSl2BF4GAW7-CyyN-NVyP4Caots7O35AXO51Q'),
	('4cc39cce-e93a-448f-9456-cbbf3ea5d7cd', 27, '2026-11-15 23:17:19.458725+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'ask for a download', 'done', 'HSKFNUCS', 's1.ejEKUtPs.eRj-UTcR3oJUsV20Ey3nb_otOZgVNLqZdIpJXjoTdb7Z1rVUVBKQoV90EU6o9lZ2oIkGG7pgkLuadZ3CsCP3lSuaXDgXzuyvN0SanZs'),
	('0b67db57-f7be-4fbd-b32e-8e91d47a2a3f', 28, '2026-11-15 23:17:20.307207+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'download', 'done', '3GTREAH7', 's1.ejEKUtPs.ka_89MUOL-SwTn92dI8WkTMFR6qoFZZywTf5_9CKOVCyb1iu25b2U0b4OBSS92UTVn41_YSBDxdOHzJMbqHTztzOcoD7GFv7slMm2Zw'),
	('0690bf93-e9e1-4e92-b008-d057f1771f59', 29, '2026-11-15 23:17:21.113923+00', 'TZQ7PWU07K0', 'U2LQ1U4XY57', 'ask for a download', 'done', 'ARB7QYZE', 's1.ejEKUtPs.Cwb1wXModvXmvyyHMqbuMLJ8uGqldUAYt1zlYZGLmxPSr2Shp349qMqjzhUNtvz4Xqf1TMgt8wh69IzPVyt9yVJBNDGhxDHdd2k4QSk'),
	('2f88a82b-64c7-4a56-951d-a545ed9e6540', 30, '2026-11-15 23:17:25.322346+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'confirm', 'done', '7SX3QJPM', 's1.ejEKUtPs.kYBTKVy43tBs8yylrtJECKDVUk14MEt9ngVAotNUZNp6wpLaTlr4qEaa8Jo5ExG4J1JB2Vz9LO3CkNhvE-jwG0UmHy9iv9hsVsA8Xx1wVA'),
	('9367018f-eb5e-45aa-b774-eedef80c8361', 48, '2026-11-15 23:18:16.327552+00', 'T9SLZXR74L9', 'UFERBLS02V0', 'confirm', 'done', 'G88CW87K', 's1.ejEKUtPs.EKm79SFu1xoCAds64kaKFPXE6NjTYGsr14B7m1Sd1NdgG5x0z5meERDO0f_Xqo-iXpljArXzoMl7iagLC5qpAvb0kCblmtGxgLmx1Z-vSA'),
	('7809bc32-7c44-42b0-b43d-f578d2076ccf', 31, '2026-11-15 23:17:30.623553+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'dispatch', 'sent', 'ef8c244a-acd7-4601-b739-e7b10bcdcd5e', 's1.ejEKUtPs.T3TK_5SwLR2a0LM7N8JQkK0mTU7-T_dnp4w77YAqdjsPjJFi_rNNpZyd7cDgGcSGveg3Rf0JdblqNfdYhPbda_DsXBuAt2SllIp1jbKjBe4en00KFay0qZQ4FGrhjnvOkzJsb9zH'),
	('aca2e453-96f1-41bb-b19b-37e8391f8bc6', 53, '2026-11-15 23:18:24.213828+00', 'TJ6IVXP1ZW6', 'UGJOUAH3SC3', 'disconnect', 'done', 'HWTBNNTC', NULL),
	('be6ffd62-eb6a-4a94-a134-c54100840498', 32, '2026-11-15 23:17:35.014898+00', 'T535XLWLQHR', 'UM1D3PEO4IT', 'confirm', 'done', 'GQNYXPYK', 's1.ejEKUtPs.GXMz3it9BjncOnHMDw_JfTwimaJnzgIx0QJtAhZk_57ce_R6znI9Hp3Zf7liufzVo7H9ynX-vsgzOPuGWgc0cgcL7ah0RtqhE-T9mMTSSQ'),
	('1162ce12-3179-4251-bc5c-05842e273fb1', 52, '2026-11-15 23:18:22.361244+00', 'T65C80LO67B', 'UDMYABNLIVO', 'confirm', 'done', 'UMTU9JHX', 's1.ejEKUtPs.wUzi1tn4_XqKZPKRqgjDo0g6cuY2YN2iw16ZCcKHnfkObXJqLLqMjLadM5FaQvSo6k4pLV5wx4oBWG8ouq2mbrntz9eu4XQoL8K8cCNWew'),
	('8a33a027-05bd-4d54-8aa4-ec0be7c74293', 33, '2026-11-15 23:17:37.616583+00', 'T535XLWLQHR', 'UM1D3PEO4IT', 'dispatch', 'failed', 'dd3da148-b7e7-450a-9930-506c554dbc3d', 's1.ejEKUtPs.4BGbpJVGv0gwm2-4nQ8DUSpE6wzmCQLUssbRGo4p5GtoWyGln5jUs7hE3FuXRNckCcdhyPHUTsf9qoW-RHhSe6Y9Bq8VfJ8Y39k6UOY7UjTSb4incgbKFqeqJYp8lvpC7B8XthlpMi39jmm61oH-0GszlQ1DqNfiAg_xDu6nLrlhyYk5dreyDtjcgOZAtuzmioB_ZSEKJV0z46TmAcZM9A1PUEcoi7NDy4Rz1c2ga0e-i0l9U0aEzXv-MkrgKH9LaihcfIBgZC2ZZTS8rFxYJqexkGTu7An_Ymz_ElGaQIn-Skay7m6PkgJY1vxH_UhnoqmbER9xoQPRp59VadBMuakai2AItN48ESPcaxRYr2tVvOKQbsQvF2Oe3MbBaIex2jmaOG6LFG4L-vrV9sOlord22CeU3z-ALZccylSfRceS-Sy4BhLPiQn3MkWghWRFI2q0FW_Brqgz75grGUk'),
	('f3067393-1152-443b-9571-f180ce911f09', 34, '2026-11-15 23:17:39.672605+00', 'TZQ7PWU07K0', 'U2LQ1U4XY57', 'confirm', 'done', 'FAHKU8T6', 's1.ejEKUtPs.1wJluh90tudytAhhZ6pp6Hj6_L7Q1UkvB6rZaOrs22Jl0R8B9lM5e1Oui8jWZrKZmWP2r8zJ5DKFA7IDeHqbWLHvNQONtNSQSej0qMCMpw'),
	('75ac00b1-d835-4b37-83ec-569cec24aa3c', 37, '2026-11-15 23:17:43.418841+00', 'TP7TJY6AY23', 'UTQYU2BSMR8', 'dispatch', 'unknown', '4a6f4c11-a63e-4501-bb57-f26949363382', 's1.ejEKUtPs.CwxGri8BGKtHMHgiu7ve2eN_FfHjrBZu7C3NRfMkjECbdt6J9PllnseH1U5644n1EaMjiURp7NX2ZZdNsyw9ZI6v6GvZaWwiJV4SVS5aH_6B7ABc-oP8rMV5G65tLViBum_x-8GnCClLVQKgV2v44XGM5ZL6Lk1jP6NV1wU94-h-yO28CHtwIyvIjyArUTGMiWlprIsUlz2f_NbtnLdYyE1FRFMpiqrp_oXjPsqK8aHeONpLInpaAX0yLvueUDdHFdZpXKik_gJNXQunOTAAwxHnRqEsFpA_PtHUt5x7kLQ7jzauyAqv335qAL7wsVtjZjeO9_f6kugZh3tky3fKxo85hy3iXI1rWkj5mtGxcryCdu2a-g'),
	('d0798fec-caf4-45d0-9902-c5f230a093e0', 40, '2026-11-15 23:17:46.034881+00', 'T9SLZXR74L9', 'UFERBLS02V0', 'ask for files', 'done', 'PB8URYHF', 's1.ejEKUtPs.N9XpvMZNSN7-ZlARIg395lVfvVoaqHY9akdsW9tU-7j7jeNuJYxiRDRXVvcI2aUSXRjzLghgSokMELc0DncnYbWt5DQtvAEolv636_A_wG-izMkIWyZpcTI0KUgppvjMc0jZ3HYMWX8yk6mZDQA'),
	('0d1d5dc4-0e1e-42e9-9c00-6eb1eef02ddc', 35, '2026-11-15 23:17:40.931974+00', 'TZQ7PWU07K0', 'U2LQ1U4XY57', 'dispatch', 'failed', '17a35baa-3d1c-4b6f-b9b5-b42f92bf580f', 's1.ejEKUtPs.tCw6IUdiPiRsTTwYF53TbLoKkRNSquhvu7vhHZEDbsQ1a40MQjD6ev3rSN8g2i0weGdUXL4Yo3e6bRgE80Q5xBtTVkXQ-um0mChej8YwW3D-V-0WNSSVJJH6e0YkbJU87qIZ7x-NJY9e8vXH6dJiD2SAbjTdCwZhY8gwqrLc7dcZPD9JjYFNBb-hVdzGGTPYEub6ia46oauz6oMWGD85y9ugYtKP0dGQIT7YTUS4sbUC6gqOsiHhpSWLi1VMNp5VfvJDEmCpiRflYkkH0A1mFBgGJusPRgYUd2zSoBSdsZ_ov4CE6Cg9snnABovUv6i6bjJCobVwgqkBTLMVZJvlF8E-clieWLkJQuMv-yzb3Slh_FKU5zv_QB8WgdnO86p8hGRZ8VFfgc6Tez6B'),
	('17bc07aa-5980-4891-b0e4-84d3ab1c0438', 47, '2026-11-15 23:18:14.704923+00', 'T9SLZXR74L9', 'UFERBLS02V0', 'confirm', 'done', 'C5BZR578', 's1.ejEKUtPs.eTsCDEl7K_2UhN_5Mms07_zNvJJAYznuorZjqRk1yhTKVuPusfLX6z2ZWt_ANbYoSuMIvwgDvWGkRSJ8jncPtG-DKa7YqhHR-l34E0zv8g'),
	('911060b5-8549-4376-ad66-d48c447e7c20', 36, '2026-11-15 23:17:42.447947+00', 'TP7TJY6AY23', 'UTQYU2BSMR8', 'confirm', 'done', 'AV84QTX7', 's1.ejEKUtPs.H3ll8bSUgiLRfA-lbu9_IJ7bHg9rQ7AXxB_2VQX4a17zRdf7BtVbjdwwk-QiekNC11Mb6gpCNZgBYn9brmvi_ohBWQFM6FB8XqtGNlZLxQ'),
	('c1227c13-143d-470d-a382-c08b20dee525', 38, '2026-11-15 23:17:44.170004+00', 'T9SLZXR74L9', 'UFERBLS02V0', 'ask for files', 'done', 'SMR72EJA', 's1.ejEKUtPs.NCVR5JHA_uCNbwtM9ZF8fu_9mwOc7HK4zJtWRc4qS-rQOU_mszHKgxrCLB4uVnlZB5DHNN9FpkoKD9wyAPgnAs58h3r4bVKa95t90ZJCHYZF6rAy2t_hlD3A3Z2Nfn0dqm_YZzaZwzsMf9B01B8'),
	('b3cf61c4-2e95-40ef-9f01-987547953bcb', 44, '2026-11-15 23:18:05.963749+00', 'TUYA14EHO65', 'U3T2A0HWY0G', 'confirm', 'done', 'SMK8AJCH', 's1.ejEKUtPs.ZZkonlf2iNDOtdWvDJmRUWzxUQx7PXEwqWdeA8sgnKfuFpdSRuRfjjBQiHQLGcaKS6YdnzGU_1Azo35jDoJntPGRB5_LbT2gmi_6TdrZpw'),
	('614cea44-616a-45fc-af6f-dbec0572d8b6', 55, '2026-11-15 23:18:26.046235+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'ask for a download', 'done', 'CURWEB9M', 's1.ejEKUtPs.JQjpYTweojVYiaoNUC0bPC16lIymMHGL9Iv6t7pLE6gekHRJqF5lSzWImpjHccHwZpoJM6w48Ct8Kq-tqU8Abbxk8A9OFQnhTZZtsIY2wheF'),
	('c3c28bc1-9084-4200-893a-793285ed62b1', 56, '2026-11-15 23:18:26.714154+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'download', 'done', 'T68JE6K3', 's1.ejEKUtPs.DWh0L1enMZ2ViaK51lp3yUmD6yrz5ReAQrXpfRbbfK6Yv_vtrWBcyBods2psXHmXJsr5_ddivalcPqU52J80b4Zum6MfEtqJ-IM8We6B0ND5'),
	('ffb535c6-46d7-46c3-907c-739d8fcf1688', 57, '2026-11-15 23:18:27.71593+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'contacts export', 'done', 'T7JNV9ZN', 's1.ejEKUtPs.qI5bu_6d92R7-bVfNE8HOxkWNBLybu8GOsNRWpg0GhxzKwbCmknV2Ir-sw'),
	('298e12c5-6d11-4050-bc82-974b791784c0', 39, '2026-11-15 23:17:45.387935+00', 'T9SLZXR74L9', 'UFERBLS02V0', 'grant', 'sent', 'f913e8b2-f268-4564-aa0e-3452f6087bf0', 's1.ejEKUtPs.A3rvTHjDWePx9RLnj25iR7kA8z0SWNrzqx5-eyiTAkJfYQlAOrFX5XBXOROU2l6fUFfuCM87tbNktJCXNOI0HyJJGLUxqu_Isg'),
	('b7441f22-3d8f-4c8e-99fc-3da497a6ec43', 42, '2026-11-15 23:17:54.380551+00', 'TUYA14EHO65', 'U3T2A0HWY0G', 'contacts add', 'only-adds', 'F8TCA8MY', 's1.ejEKUtPs.umU8fmav_6Kr1tjktEJE-mC30vR5k9X8IFsX4rtTAci5gMpOkckvNrXlypNVaqZbpbxInUkl5391yjM_pqKE3ZjRQeB1uqE02GfGoGxad3lOS6bTR10738OM1AG8lzlzOC826c3m2HarPv-H'),
	('be19d555-2656-4492-912a-4d40e0a1ff2c', 46, '2026-11-15 23:18:12.113643+00', 'T9SLZXR74L9', 'UFERBLS02V0', 'confirm', 'done', 'RPQW628P', 's1.ejEKUtPs.epFHqvWCijjcB-dd-jA28YMoJ1JxrPj_JIfnK2XVrPJbWA74njJk441W5IoMocvp92gJyi83qUH8wEpfqSOb5TjnVWS2vAl5ECjw05q1pw');
INSERT INTO dropline.audit OVERRIDING SYSTEM VALUE VALUES
	('b7e7e897-d2f9-454f-84b1-00d0ecaef300', 41, '2026-11-15 23:17:46.611402+00', 'T9SLZXR74L9', 'UFERBLS02V0', 'grant', 'unknown', '54120b1b-53a1-488b-b371-a250a12325fc', 's1.ejEKUtPs.7K5EkKkiuLrIKFRnRr2RC2fuOX4PiGaOSo0n8jf0k5mMfYFd5ksFYYrkMJTYoflRiSjapbeIBzbhYB5Mrq1IMmcwCbkD-QdkmOnUWbxaWkoPjJbbiowKxw44nRAlUVA8IoS-hRGe9XfmbeW8ogwaTIFSS9wFiL6iXw9iYD4SmU7Ys0a_wLKQlkh631F0zf31eeRpKobVHLIH_sav4K-CqSBzucsdA_RuBdiAngTLfRHliY1zaN_twMeRFKiORqgN9k615h3zhHADuybZigIdla_L9IZsg6Mr4eEJ5T1Z9ztfaYyERyBBQCWtnx51bWTGpDQ7HtCL'),
	('a632944b-8f3b-495d-bc73-06c4c3c61586', 43, '2026-11-15 23:17:55.278725+00', 'TUYA14EHO65', 'U3T2A0HWY0G', 'contacts add', 'done', 'S5JMETPY', 's1.ejEKUtPs.6cWSPIzc1ly9YSkyT87Ce2iTnOKS4tuyhV3cT7owa7-wIZ_ihK3YQHL-8n2hRH9UVW_AXDuwadRxxcVCGQzkADEPPzfKbFMkCmP56bMPyNwyWF0f-U1p_LFrHqFtaOAYxjDzWQ0Qfdbm3IEbfYQBiCQwuvRxrJHiuvjVGCPPBEIzuAo6ROXdQjEzYmTd9Ws_kMtx7LxhERbxRwn917DaJWo8jbmi_DJn'),
	('55e12348-23af-4c56-a70f-2698c56ad97d', 49, '2026-11-15 23:18:17.456534+00', 'T9SLZXR74L9', 'UFERBLS02V0', 'ask for files', 'done', '3QHPTXDE', 's1.ejEKUtPs.3vxflq7ChxRkSzu86Mbv0B1ELP0wC0qnuhGAaUl27KyOyRlqSGdcrkRBLopjzZVnvL46WfXaUSNEnHxOINOdAeaDNNLA9vHsqarRDfcIewwZwBquj1cX8wms6AcDTTaau5QGCpfEub_wl7uX68I'),
	('0e759f20-f84f-483e-870a-a644d474ca08', 54, '2026-11-15 23:18:25.604884+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'ask for a download', 'done', '6M4BQCQV', 's1.ejEKUtPs.nOuRlxbFK3ZRxYBwm-aowf6cRnXx2MWX1IrjIIESU1RED721W-RacwXzvOQr3AUqmVBF0Jyw3rLqpsJ4T1GHqoxE9ENqabH-u9QCDy4mZT00'),
	('b7c5e8b7-8f2b-4370-b1ff-01b24790902c', 58, '2026-11-15 23:18:28.271953+00', 'T535XLWLQHR', 'UBKAADRX2YS', 'audit export', 'done', 'QCEGQ7KS', 's1.ejEKUtPs.AhS9gTEYjdZCC6w2gKTAstLp0IcrWjgaMLz0ggIKjaX_a-T8X8TA'),
	('d4bc64a5-b803-416f-94cc-b2ad022ec99c', 45, '2026-11-15 23:18:09.632867+00', 'TUYA14EHO65', 'U3T2A0HWY0G', 'dispatch', 'sent', '8cd81982-c037-41fe-986a-ab4b44727623', 's1.ejEKUtPs.sXSV2xFaYaclyUQJ8GsOhxJVhzdjEBCU2QTb-2_P2I5CSQbcpvHVVzxFSeAV_0QcYTiSt_IP6C0lUAXHXPfOq9BYAsGrlN3Phyod7W1Pdp3dGMxMftxLrDgdZmVopoqOxaumwXBa'),
	('5aaa3cb7-1bce-45a7-a078-ff0270137806', 50, '2026-11-15 23:18:18.316017+00', 'T9SLZXR74L9', 'UFERBLS02V0', 'ask for files', 'done', '5ZFZCZSS', 's1.ejEKUtPs.VjEZeOZ-cpaztrmgWlVGrSIfVISRg8Y9LsEVcju-_h87mHGkT4fWl5b_EgnrpFs_ClJ34jzl3Iej20XqR497ymz_CLwn2Nru40pvI5aVnRSswwbtGpcSHn139T-ziYRLbOGez2y39QPAmujlx1s'),
	('025cec77-50d4-454b-95e9-57b0865e8c2c', 51, '2026-11-15 23:18:19.634359+00', 'TQEN5TBUIO5', 'U2AXPR7EMWL', 'confirm', 'done', 'N5WAG94W', 's1.ejEKUtPs.Bp-O4JyvyQ4GCyh1ACyjY6FSRyMF8Yj3DX6izZbJLBIfIQx9DqFctYIqoAqfsNi7u6-092P6cDuSWNCYUtpn62bIgxPEivvr-GEBoiKE_g');

INSERT INTO dropline.checkpoints VALUES
	('403967c4-6d92-4639-accb-792ac36738cd', 'the whole job', NULL, '2026-11-15 23:16:25.147979+00'),
	('97f52334-5ce6-47a2-8730-2d45c3780332', 'the whole job', NULL, '2026-11-15 23:16:28.702314+00'),
	('d2c9fe56-9573-413c-960f-2c6b135f8815', 'the whole job', NULL, '2026-11-15 23:16:32.011514+00'),
	('d995b061-e0ed-497a-92ba-d30cee956278', 'the whole job', NULL, '2026-11-15 23:16:40.60879+00'),
	('fa1a6505-5fb6-42d1-9433-eeb95157ef24', 'the whole job', NULL, '2026-11-15 23:16:44.925262+00'),
	('3ed9e83f-50f4-4518-8837-81855ffe0267', 'the whole job', NULL, '2026-11-15 23:16:48.322526+00'),
	('f8eb5e0c-0cd4-43bb-9b67-aa747144ccc2', 'the whole job', NULL, '2026-11-15 23:16:52.951125+00'),
	('a484b597-b0f4-4564-8ff1-ce654dae370b', 'the whole job', NULL, '2026-11-15 23:16:57.659322+00'),
	('594dc0b6-b0ba-4316-8f9e-973843cc093b', 'the whole job', NULL, '2026-11-15 23:17:17.30399+00'),
	('6407797e-0022-4a97-88ce-dfa04f35c06a', 'the whole job', NULL, '2026-11-15 23:17:17.812348+00'),
	('360af7d8-0eec-43c3-a264-6966d3b36bbc', 'the whole job', NULL, '2026-11-15 23:17:18.487153+00'),
	('0594df21-5632-4d7f-8813-f914f291ac36', 'the whole job', NULL, '2026-11-15 23:17:18.933655+00'),
	('ec1448f8-8a14-4031-a67d-a17e92d84723', 'the whole job', NULL, '2026-11-15 23:17:19.485213+00'),
	('9e2ace95-6c8e-4bd0-aeb2-8112ce95e15d', 'said', 's1.ejEKUtPs.3n9ODuiP1_4IDodrQjY57A6RymmfboTSTtapn3OUcQPihAxG0e5hSmsirr-iXmv35TsXbOOLrod4GU8H6RRrZ_RIpqDFVzjb9sYzmFjl', '2026-11-15 23:17:19.610116+00'),
	('9e2ace95-6c8e-4bd0-aeb2-8112ce95e15d', 'brought', NULL, '2026-11-15 23:17:20.320946+00'),
	('24b40401-a518-4bbf-855d-668483d3946a', 'the whole job', NULL, '2026-11-15 23:17:20.501011+00'),
	('e4a36177-226d-413c-ad51-7901e53796d6', 'the whole job', NULL, '2026-11-15 23:17:20.905267+00'),
	('ae036695-81f2-42c2-b627-284411d4304f', 'the whole job', NULL, '2026-11-15 23:17:31.212479+00'),
	('e7decfd9-e954-4f4c-a690-900e02005772', 'the whole job', NULL, '2026-11-15 23:17:38.118778+00'),
	('c90e6d30-c941-474c-a10e-a60f3b9709b1', 'the whole job', NULL, '2026-11-15 23:17:41.083691+00'),
	('a3e85f9d-e86d-4430-8c2e-65614c50d236', 'the whole job', NULL, '2026-11-15 23:17:43.603679+00'),
	('8eb103f8-b1f8-48cc-9bf4-ac767314b898', 'the whole job', NULL, '2026-11-15 23:17:45.463091+00'),
	('ecc8695e-1b89-4af2-89bd-7a5cd2c9f101', 'the whole job', NULL, '2026-11-15 23:17:45.901658+00'),
	('3265296a-1e23-4bf6-b23d-a65c3ca53f16', 'the whole job', NULL, '2026-11-15 23:17:46.74945+00'),
	('b84e5069-9a00-44b2-9e48-c47ec8bdce18', 'the whole job', NULL, '2026-11-15 23:17:54.639925+00'),
	('c55a9dca-18d4-4309-a1f6-7a4105fdbea6', 'the whole job', NULL, '2026-11-15 23:17:55.377379+00'),
	('39568bc7-453b-40b9-a02b-870e75269d20', 'the whole job', NULL, '2026-11-15 23:18:09.781979+00'),
	('10057dc5-0388-41c8-9c24-284276221843', 'the whole job', NULL, '2026-11-15 23:18:10.262095+00'),
	('b17d6d3c-89c8-41d3-aff9-efac1de0996b', 'the whole job', NULL, '2026-11-15 23:18:14.038364+00'),
	('79292929-a6a9-4f6c-9835-c24a92ec1f68', 'said', 's1.ejEKUtPs.0xZG3vlnk39FMJbdO1OsEVMAT_qLDxTVWn5BrzVMugMU5M-IMUFAqU1_ul4JmLVGJ8vNSymVC0IHgo3JgCdVmEVdGILfhI2mhcAMtr02', '2026-11-15 23:18:25.710555+00'),
	('0bd37886-de3b-451c-8e09-212b46cbe88a', 'said', 's1.ejEKUtPs.VKoFsTIJvd1s-joc-TMOb_-GnZRSTMTLf6UBZQFxzTPIG5BKKtue2xBZwJCpU8ndFkS2e2-hybsAn0SuqKX55SP5FiuED_ZWce6h6bdO', '2026-11-15 23:18:26.168128+00'),
	('0bd37886-de3b-451c-8e09-212b46cbe88a', 'brought', NULL, '2026-11-15 23:18:26.773837+00'),
	('395cf197-f79e-4ad6-b270-b30e307c54c4', 'begin', 's1.ejEKUtPs.WsvwIJVchgJe9ahckfvDRKj3x0hs3k4UtvXlnpC02HnLLfR0gozEXxLSYyNRa1CJYjAKwXf2w52n6YnMTDCsq6ctv8NYuJlAOoNUM2kq', '2026-11-15 23:18:27.558462+00'),
	('395cf197-f79e-4ad6-b270-b30e307c54c4', 'upload', NULL, '2026-11-15 23:18:27.906178+00'),
	('c3546de0-9484-44d7-83d0-3f8e73b5517f', 'begin', 's1.ejEKUtPs.QIu67fAJaLtnzGe13ntIyZ3UBtLvOsoSIxamv0EBnzRr5GnjGIvIJjKCZOlqVuJ4qjWtoDqSPWSiPIm69ePqtlCLy-KQFdo1UohP-Y48', '2026-11-15 23:18:28.219669+00');

INSERT INTO dropline.contact_images VALUES
	('05d51fd7-908f-47dc-870a-723496193104', 'TUYA14EHO65', 'http://files.example.test/juno@example.com', 'U3T2A0HWY0G', 's1.ejEKUtPs.3yQmj_V9F2RPMq7bcorzykZpsJNGEYedX3hdJpQ8', 's1.ejEKUtPs.L2BPeplrD9qoHQgXkKKj8Sf-KNtQ7yLh6X1aLWMUigRwsBd5t_C7FOIvIhpw68fCufsbFYQy23E7NRYME9Q5Y4IeUemIbOJRXnVOTirytUW6Rf0iaTDjImosG7JgWA', '2026-11-15 23:17:53.090513+00', '2026-11-15 23:17:54.229046+00', 'not done', 'ba64d2b9-51f1-4399-8afb-bb8fef7510c2'),
	('f8188e25-aeb4-4906-bfec-811d4995534e', 'TUYA14EHO65', 'http://files.example.test/juno@example.com', 'U3T2A0HWY0G', 's1.ejEKUtPs.odhNrW4fzAfo4ZmpkBJHUJ7Qvx_6vw0WXXB8km_N', 's1.ejEKUtPs.l43GMaaN604sP8HJDFfxyF9Izs19Zkm9_Ax2eoYt0COs0O2AqU2kiYY9LGRJ49XqGQurUOmsR_6PvtHuCU5JX1Xxl3GA3LUOdsiCmaF9PXN-ftcZ2XCM42QbbbGu034', '2026-11-15 23:17:55.256441+00', '2026-11-15 23:17:55.268777+00', 'done', '9b1c9ed1-f8ea-4700-b731-7fd31c3249bb'),
	('1f2c047b-f93e-49ff-93f5-c2491ee42e9c', 'TQEN5TBUIO5', 'http://files.example.test/cedar@example.com', 'U2AXPR7EMWL', 's1.ejEKUtPs.8_XXLZ5GsQx9iAKw48XIIq_Mge67v0o8JA1WEj1eV8izONakXW-qHT-EgdPCKrCAD1Eg5PCJ8viltbMnUomPTQfYvaJkfcHypkRsNuKgZsOGtR0khioewi1ZTMSqgz2Wsu8t-aSEP2zNKWHt3xOFCCLIXeb6WsvdQtLsZynwEV65uW4oCqkJnmqdh5jf9SfQb9H8s78GqLHRvYMpyHXPZpi-P4cZcv6uE9dKVXQEc1F0cFqyF6BJe3ccXV18cs0Tq3IqIjkuvPr4Ri1Luux27SezdNJJD2pA1MuJ82z1ImRiMmTvhhnKypdU-tqqw34JsUYE787gWNgUMo2oJt3H-niG8_JwG5xo7UrmPrJApctaN77qj9Yz92kcK7OxcoSeDV5o_Xq-JQQCw6fjzUSMQ3xi73ietHmHSzJXbcszHe3OoWJhtwtW-Q1SBalabhl_gR3t5DpSqHL9ZFJkjb6-dbh0Bvx3AaLqvPMmmP0', 's1.ejEKUtPs.Ko8CZXiAjicdIIV2W3dCDYrtGjs8PFWmegxVE12fNqkyJbdXTSKJl3voJw2eDs05RaffkNl_N_UeOhEj9uY1_ilfSGDLG4Ukb2QMqDKxTd-Aj8zj4_ITR_DRBbZydDHO6EacIj_74HTLOy_I6IEGmocBWqLCbtZYiWKeAtmFM80NvuJ4QRG36Vio4tEm-5_SLyOJwScuUlA0Ij-Sa7OcUB0sE8Oac_IMaXid4HjaN35HOuLm26obWf7duxW88GsXe_2LJgzMBOWbW2-1kcORFDMxXGhp6pcjrEl0vx89zAtVflX-MUSy2bs8XlRLLQ8VNvLuCjAlXhgp7KLMwBkvm69dc39jaQipMCHJZ1odR_JfrpZypsJF-ao5Lbae8eXV_sjAzNNE50xPA60vn18wjBomqYcLxB0-t3DWbxL4PPgRTGjXKC-7bEW8ZMzVyOkigsbZzGHHjdao6cXxm6sc1vY4jrTPbGblL-0uNSf0dEfAyE72IAkTVn2VfjsmgbGMoZcORiDpY970kfs5aFiDYJsDKC4vfLA5JOJ9g3PYhy3UUgPIFyHVtlttosvy1BGRlZzVakbTX9W6jhqG8Wzz', '2026-11-15 23:18:23.192686+00', NULL, NULL, 'cce13e46-d1c6-4878-b0cf-1dc230a89848'),
	('0e6e9ee5-9087-4242-85f9-613119b66661', 'TP7TJY6AY23', 'http://files.example.test/dune@example.com', 'UTQYU2BSMR8', 's1.ejEKUtPs.kej0O3bH98qlJ3FoCLEFtn3AWEcI0YuTuLObiz11PHuSG-nFbJETjr3Jg-q4z1w4jdfWCMIHS4Y-0fmzJm2qLv3FTcyQwUQAP7qz34IKgRchEKXUI32u-_-Wd0lp_iy2LHQF3l3sb9sn6k0oFpt51Xx7jcjgqaayJ2apBhc0FhTD-52oOTe8w58OlecY_2zlg1a3VJ5JB9_6Pz8Tw15uK93db_n-Md182sna56O7rHsi6KQ2gsG674Yl49kMNCGk-MLkeKYdWMdDDgVB0aicOja5Ql5tWwUBGVT66i_xofH_BdudFp2hlipBqOhnpQyKkgg80kBML84GOhkocWG1eEwtAWS7mHSg9MI-s1gA_JKHqq1xQgt-nf1Dr92WAK8Htq5Fp7vT1YeyHI4T0BbsFVn1nPHENFaf-Gy5izupPRC9jPJQZ0CEUjwbxN5_fZjmG6OXlIwsUoGXsGOUtXv1dmp7UPHA3iSMKeRxvBk', 's1.ejEKUtPs.zpiEsCA7SDmJDMveCtc7Hej1ttq5n7GsjVLyHM3V4O4Hywg4gp5rM7J4yfIz_ZetTM6VacO2cCUsuoX1LYySqMRinwvkv3eHRYS9sbRnRFPbuz_kMLy00F_SaPOug1og6O0eM-YWCaeALbJZSIu1iEcUecHYXRJDGii8PugINmDiVso2h69Soiolt6P0S09FL5Z3kSAzqE1IFhHIHFMhLTLya9CCexRidMnLF1j6l2_DC2xFcwWep-tA6hnuIqgk7XY6fxpD07i0iHKebn6r4o4GZJWbTLwOqrX5oTuvcWbxWp0Df9iZRqa384TjzWKMlB8PNd8N53VXkKTEobmvy_zUrBPEz-BKdsuK-JUzXpwj3cjkR0FnquMTXy6iwWbsZZ_id72r5o5cOhCrrtocQ5o7DEgajhmCbRxA7GUU0AHU15YcQmPuf0SDwG2MdLgAMWGAIN9aSSvUxPnrMNhzSdgDgn5zVwA2-BXsXop-RiHX0wojfDoTGpRZHF6qk93inUTYVCKgXlhuzx-SVJvoznfz_mczIW_SmztuWVF18b_OtK30OBeF4SlQjdwdWRYLLl0yVrrXkdRYe9eJaEU9', '2026-11-15 23:18:23.405271+00', NULL, NULL, 'b247b430-a6f0-46ce-bb16-cdd434c7a332'),
	('b464af50-63e6-43a1-a80f-a7f8cec3f931', 'T65C80LO67B', 'http://files.example.test/elm@example.com', 'UDMYABNLIVO', 's1.ejEKUtPs.WBuh3UEmtSfxbh0VOl21tCDIibPxm19szBGxVokQmB6phgTWVYSNE27Of3n31WRnQvSPUNYiBcjb_V8dhdz9vyV6wckn-clMB-AvAvaBb8KhNBXWIUD9o5zn99R8JTBDHVc1y6C6Y_KDoGb3Y0Q0F6_4_CvfozrSyksqfSLUikhtAXKH4iOWZQZvSjtWjjOU4bWZ9wafknImpStglvXJ8TB1WfjjewN6yOU3dy6bvMpw-hNAGth_sFHgbT8lv8vLALE_zVlpcQuAenh1VrZNU0pAS05os3mXTG_Cdn1yQUWJSvzvUKAoJBACQSmJSSAfddQWLk06hRjHXB_c_PU567C-ub7ud2wqatEgJSmZ-h7fGJwA47Cffcy9jR9tPZpmTpAXQE9Y4vHbyiRrEqNrKCPheCO_mBzfHs6F-b3bru-cXOxVNX_w7f4GtlSQceZWKrHI9PAcKbKb0zm06nwtjKHaDhcNsDn7veuYnpI', 's1.ejEKUtPs.J2uCoNG0azzSLS3LIH8DZY5f-btNOXYgWRG-ZXg5cQhOQLzeDhupFpbWZK1TJRmSjxBlG5O1BLPWDmpKT7E_3BLLE0mdlaPo5Ko22_asoNxrb9z0lKa34mYlihjCn3nSESIwvEidOU-BXaJowTkTVNMBTpK-GaJui0RbCde0N4eQ790TtRVpuLTB0RJZa5U2KASdX90Ty3EItvxLURgaWI_cq8od8vsoL4HprIXHBGXrQmFRr2PlNY7m_-tE814Kd6zkgtRa03hu26O3Qb4xzPSGyWIUPGAiwfww8r1VK0HYVFXXXwDN7QtQ4QbUQo6wc25iBFxa5Y_DXY2lPV8AeqaaW6HQByKX_ygAYUkz_aXFV5rNOOxaraV0fVs_mG4O0nsq6NGHgPrQWlRQBhXTIm8bj-msqhiKzPXGM694DRmF9EAKiApYczIMOJ1E5LClk7cRUzIqMRzaR53em7O1HvsToYaJ_p04r9KT0v9zjKS32EIPYeKjdrkeCcrD-rls41LRMALKaDJbMy3eRhK62dezDNI7eG5pb7TfDX6Sh3p5Bsl_hjgICUSyTEVtP5Ga_W1hYvOcZhxKa66IzhV0', '2026-11-15 23:18:23.805523+00', NULL, NULL, 'ffe50756-9f82-4782-9de9-19efea28db52');

INSERT INTO dropline.dispatches VALUES
	('17a35baa-3d1c-4b6f-b9b5-b42f92bf580f', 'TZQ7PWU07K0', 'http://files.example.test/grove@example.com', 'U2LQ1U4XY57', 'failed', 's1.ejEKUtPs.DmSaJoGUDAf2Zl24UuaLzkcb5GAQhelsRAVUnxYvrhQF9Dti6pbmSAPDakYCI9mHtMM24t0l91ts4dmFDUzyT9TjT7XBxaWdxCXW69YYc5fAulGlwikmZ2lNR6aNlrl3YYVhNhqhFVp56b0co7QzXLSMhfKT0f-e7bbB0OuONZq92F8V0wgkDfLZw57HTkA6_oYzfEFcT91uMTaU_rISfPaJCXQUjVwdiQttJGoKgU4zHIwK0kLxvJMDznn5cCLrFUUxMI3Pu9UB3OaTsGOJJDun46191ZNHiTHVUHAqDq1uaemTlMwmifRjyCvMDTxj5CcGDEZdIuQrJMsYN4z47xGHW-A_9o11VEqDJKNdlFQ6W9597tkh0QLEuQvOkhqr0-4vLbAACD65B-yn33HUpRSx3qTcSApsHTaFOGdlPsRvucInNPQwRmnpXhPCrcrXg8FXDf-Iydeiffysk7dRpXIjKBm8vcD9tUUKb4mC7FcuIC65tE-wZzJhcrODh7lCsNTTOOqvpmJ9nJFtOCIKi2W7iWjJecAxIMVtV-D-PBV6gckoD--B7RG5oBQLzp9UGigLRveLFWOnzqO5cuzkF34DM0SK7we-AtsmhO87bq6ROwyxpF3cz-HnzR9XCWncrjp6yuQ41vtkjefFFZSALpcuTljN_RvHGbuBiLwnqgK07FD3mVIOj4RxE8C_AUnHYDv6gQelNPZm7u-TeO5LrZiH5qdtjpfU_j6A_Q3o2RVCmPQfXknCxB4G_5R8TDi2mdSpwMo-3xRWjPPBQPtDyn5ULrEb6gETYqrY-tWugpsljTIrqLmv', '2026-11-15 23:17:39.623576+00', '2026-11-15 23:17:40.931974+00', 'dispatch', NULL, NULL, NULL, '2026-11-15 23:17:41.067804+00'),
	('dd3da148-b7e7-450a-9930-506c554dbc3d', 'T535XLWLQHR', 'http://files.example.test/acme@example.com', 'UM1D3PEO4IT', 'failed', 's1.ejEKUtPs.3cvFkVf_uTrVDFZ3RcBCyHam5ph427fKJKoozjjBqNJnoFCZ8nggPfONgsbBlr3oaMLm5a8wqt7dGQpg3C1oUYdm5iHhoM7o7GCyqH9OVzKTIyYkzU6uXA_LSYy0RLIiddZQakhvKK4a3Y86MQDHJSFE_J33PCOP2ufTOOlkN5D27JrQg_FdEebmDdOsAV9Z0i6dwbC_ZBVo5ZPIRqT9DaAUgOPHcWM97F1_S80d1F-aJLv3McRYA12IpvfU-D7uZp5JxGAvuhkcBZ6GQqnLuNiazD0coFVzY6_cXoSDUiaHT9tUYcPVBYjJnhbE6E0R-FLwmvTQL2GKIrRyykSXYm5fXPBUinxoaQddc2Ahy3W1JbdhAqh1J6FSXR_93zenfWMATKoARTkExaa05QELF7I9ju8aAD2ApzaS3HqNiSOKVZiKIsgoaAErwjexrFcLU_ZZmmnq41bIAjfeqVNnS1-4a-2qQl64ybKsLklBa-_Xmc7giqmzbgbvwG40Kg8MX1mUQYwDAPSO7Fyb3aQUxCV5sp1IiJLrZ3nHGk8ZLRYAwW_t9L8qgIbJfvakXq-98OkqgHlDL9TThpwuNKg8mT5xGUO2_wBmKtoN0gsl3t0ShVkhdQPXAx0Sd-m4FiGFVorbZGjfNwCrFKNkYOR7CzMUWJEIjYMOiUn-G7JCuoxNa56Qf_ibddgW4E8DJ3-iZxKeTtIQBavSgsdmUxTYieUiNdBydY3Jyy3jvKO4G4Y_LtPFvMUOLXBWKzt98Ej4CkN_ZZpHlG655wP68etDc3i9EdttXYy8Wu6kkuq7bHO-Xr7rZuKq9WTJhR9N6ITVuWdypOwlVj_5KD-QA1dTWJusQgzFvYcpM-vovUJzoYIM06Azdh0zp2omsDpXw5rqqzmRHYcBbwxqoY5IyFuUrigfx_N00vprB66JqIG3HznODCKlW-XQvk1l1L80oeFDarDRXx5ZvNVbM9Qze-Aj', '2026-11-15 23:17:34.755909+00', '2026-11-15 23:17:37.616583+00', 'dispatch', NULL, NULL, NULL, '2026-11-15 23:17:38.099899+00'),
	('ef8c244a-acd7-4601-b739-e7b10bcdcd5e', 'T535XLWLQHR', 'http://files.example.test/acme@example.com', 'UBKAADRX2YS', 'sent', 's1.ejEKUtPs.Ob0bU7VyNGDV9IoMCHzA1mYsu0x3OBt_GB6KhAzzVypYXXIulFMC-ewksmVebh4hoExESZWz95EYLONPgqjyXlP9in_HQP5PnOSfkJX5LT5sxB0i9TIUhRMdSVnUCOFe00I96juak9EyGlBqhPKv8U8urugaLnnY2mEe6IWotNHk6N8TxyIZNVzrlvtspbKm7N9EskgdDINuo6oRkGhusxdyEQodZifoi_KBS4Mqvs4bdQPdBcyolb0aAf7yfiTL5_VrxiI5gmvESnYRnZ8Boz6Tl3297Ddt7qHoKZvFlJ9MGr5MxpNUTgK6QQTjR7hdjuMm-he4vzfMH2wn4eLRk3Alu2ROgzqYJBQaw6kQWF1qPBo9Nntbgr6MXVR3qH3r9P3b2RPLmsmEy5MXr78omuPUsn9NAMM1MnqC8yeE2LHxnHfSPj_ZqyIM1Bmz96kgoCTg_yFVn7MZNMYzbtJBWp3BuGKE4YCQrlPfIUTjWDMv82VCS5ONtpkWIX6gMHiATonNrBL1f86OUTTqlwnjidcbFeQ1vaB4XygCR9jCS7bbUUY2QFl7BJ_dXOSwy6gpTU6FQuDoAFdFxuDIinaC89kcMQ07ujS6RROnUixz9P3D9I_0NuMNVh13NKZC78Xv3Lr5hO7B8tE4dw8T3pjSLwxARBBVA6EZt82dy-nE', '2026-11-15 23:17:25.250788+00', '2026-11-15 23:17:30.623553+00', 'dispatch', NULL, '2026-11-15 23:17:29.607147+00', 'zprUgploKL3XdjUp-Q0xe1H9PVNzCoy6gjtOognqiV0', '2026-11-15 23:17:31.125654+00'),
	('4a6f4c11-a63e-4501-bb57-f26949363382', 'TP7TJY6AY23', 'http://files.example.test/dune@example.com', 'UTQYU2BSMR8', 'unknown', 's1.ejEKUtPs.j3fmfpm8ryZpE06jD_L8Qp4Fr8tgyGTB8_HssRAso25OPMqQbKsgs6ZYNurgUHyGtcuZPFrW6Gzp3RG9RsBVELPC2ShGF8-8q9s3AYy9UU9zJ0u_30WDppwkaiYtAZPaB0l5AeHLXNDkW_c6tI9PX9SOUz2IxvNU9OAPCRcAI6tumalMmr8Mu0luXqktQ6QyBDGjrINiHO9IyfnCkGDlTi5g44p7kppzCHLugli3QdZirUOWy25rcYcUhRdFChhnPLD60ZGWk1SHcLObAiMDdtcd3BbZb2qdgVa4XKhCr8JtbG32h9pfdHEMGWAJtNA1g7oIkSU6jVEjn6l1f_43kihdtLBfk0v9ttCL0VfQuL8aLgOWT1QlmCd0uJ-h4imKpSlXSBGaMVh2kT69rrjKvp-ryVT5LJULaG0ljVXbr9we05cq6K-aogMttW42kqnXMvQFsx7VySpqwG5eU1NkkE9HMM5D9l-rNfMfybP88QvLrZyQ9szfRR4MTSyW8RH3jfz3qHvcym7RUvMgg61iW9U-Gu67Lqh_k9jJf9i_7JCDf3L84-BWq9wQVxZ5wAhuIT2o1z-kUF3wAzZIxm2NZPc_u5gcw6M9p6qmorQTdVEr0d7QpmDU39Jh_VGcy02N5rOWzEDa82Th7E6Llh1lDPmaBdq0aik7MnYFRVImy5ZvLBCgtuGfz3ghgE28_VNPJSYAvQBDCl4yQmy9-AXpJzD4JEC_rql8fU8Pjr6BVLF6tnYRBSjd2AkhVcGaUmU5hHp3J4001rkZAdP4lyE5SuF4VyFFxHfCAAJWU2_0et4xPzj5mtQqG9RIkIdYwNPgxt0d_Oj2ZZUxMTqsjzQuoQ5RrAvQ7O1dMm0mL62PKzKWoLfviGnDdXbILVFt4ssRlIHQdNrt5jE6f-LiyWk', '2026-11-15 23:17:42.292291+00', '2026-11-15 23:17:43.418841+00', 'dispatch', NULL, '2026-11-15 23:17:43.134151+00', NULL, '2026-11-15 23:17:43.594472+00'),
	('54120b1b-53a1-488b-b371-a250a12325fc', 'T9SLZXR74L9', 'http://files.example.test/birch@example.com', 'UFERBLS02V0', 'unknown', 's1.ejEKUtPs.A1zmcGcXLmr1bDO9c46jfFeVv2KGq1nb4guyYcYKMr6_n8Sv4Jo0Inq5UYyVUutgCryg23SwkdoZHPKPOxa4paDKnqMvjCOB1wESSYM6mnolqK-1sodvY9y7V1jduHCR4g-ETy7ZuATP_3X7XJhhT9guNlT5wX0MIQeuhSOI8WWCFegWHUxQ_KT_5g4ZiqUB3-ROqQnNg3Qo4CXUj2d40VE9wzAN_t3UNP4yn93L79m1bhYUh_fZuWGL1ZHdr_G_dvlVNDFY5YTbzccnBzNt7-fgVAChSThUEytsMQffRkXDcmIbFOFwz3WjC5QiCri5FkaAIEf5G4JWClFbd883jTY5mbtDv191VjyLKxHIKSZuXsfZNg7rFqrbxHNO6Y4Qm9BZMxCXYdb78H0pUpsh84fds595tItlunhKVBYss1XCxZQdCRnydoKpOgZ1hHttaA4DfK0WVXCma46Fo7ywWtPhpxPh_1HjiQSJofbTMQen8Mdr1xoSd3arAoiq6-jvU4D9DT6swKf3ERig1CxAaw-UiXjcntrcQbXb71jEDBAPmlHFc2OG-GPNmqPpDkk6yCsNq7rHDrNnx89bJeKSAHSSy7J2-rnVhh6Jl5ppvmk0GShOUnKlBAy-YXazh0Y022uXc30jemJkgPruNM9bBU5FtdYcwHY_jCtCa6xZVUrT5_bNKkwf5RCXOULMy3ZT6JtEObPHup-u0IfEFIC-80MJNr_A9TGpbniepHf0aFlXiM5ZJ3USLbcbIRDVdpstc6P4TgfH5a4FyxtHaWZOpuhpgxrHzEsIq7uinWtAyuVD9bZDXJLjFAMvBE04oA', '2026-11-15 23:17:46.020158+00', '2026-11-15 23:17:46.611402+00', 'grant', NULL, '2026-11-15 23:17:46.175907+00', NULL, '2026-11-15 23:17:46.742989+00'),
	('8cd81982-c037-41fe-986a-ab4b44727623', 'TUYA14EHO65', 'http://files.example.test/juno@example.com', 'U3T2A0HWY0G', 'sent', 's1.ejEKUtPs.tvhBiDnUU5zB1RVy9ukQEpBVtHwooASfFJ_4ZKn7JF_bHm7T3N5ZC5mkakwOx4KBWWSlCxbIqKftvQTWwWTM6FvuGqTMe8a2-_xV3ANE_xS8eZx6Or9zA6WuG_e1GSMpVAb0YsoL3cs24lEhYd_4MvN6xGbC85Q1IkRbN2ve8dsh6ZE6DmBCewxW3thdnnXZ_pgWdJrpPKR0JTc93VuunViiFXlh8N7tu09Hhd74BUNttFq5tW72Fnc6TobTxioRbYvXskdoOfzWF7GNmjAx2_890IuYtnNfGBEFna-0E3Wy82JcEFCX9QkzoEG94iGUvrEZUbtycBzCkQjFXb0pItGqP8rGGAsqvzrVuYWPWXC-IdN3JSYU63BVvVYDScAJovw9iXXYUXrWbv3GetRjisrAp7cycvxtQHVkDVekgZUt8r5NZERdALnojPXENlRTGWmjQGWn2VJsEJkj37RSNCmaZ34pIdjWlTusxjlNcbOp2GdXAp_YcKrQFaa5LmjxcxxEv75Xs0fvq30EMOz4UnMmPhbQxh12STQnVHm36WmTNAwvJMnnRtp553lLRW8dwGdwj6hpSzIfWs55Vu-PUWtgGwA0OMNGJRmlfAQPt6256bCs9pQHKYJfKez9ZUotySvY8OpvDi8Rt7TW', '2026-11-15 23:18:05.900111+00', '2026-11-15 23:18:09.632867+00', 'dispatch', NULL, '2026-11-15 23:18:08.77457+00', NULL, '2026-11-15 23:18:09.760249+00'),
	('708c54d2-7570-4b3f-ac41-7d603ad5ec49', 'T9SLZXR74L9', 'http://files.example.test/birch@example.com', 'UFERBLS02V0', 'waiting', 's1.ejEKUtPs.LRFxTS9LF8Jz6AuJskG33xxGORiZZNtEZNK5DaK9MCVjNpBwdabUtCDhjP5g95w81NZtEbJfk-q2FJ2xHYNfY6VrB6p5J9ZHd8DeO5cQ77-krZyzgj0Tfw-Z1hAGD1RdnHOzfCfURtiIKNtdonGDvDyIbBAlueg5wLAUJniujIvEOHGOKEQ3lwm_XS7Ac_DgnI2ae4iBWF87VIMCQinQDlJU8NT70xvmbjAbgT31Moo76OB-GtWi_QkH1ZlF2osdttwi0xLlFKOgDjlr6P-BwIUj1lUP4PBGtj21lTVpcib9gxtNo1ouXpUnVKDzOquKkjk-5ywqrZ1X20ISFQfQ3ZD_MHYcXdYhecM831HKr6LEjkqQwDzl4nEWDcYf4CvTP1jnuaEaaBzgKHiUx3ciB5Rrk8gk_lnbQXYebdjlqVob6WvoU3-IbIzW7VMhrMjHcADAOlOJ1pz5W-5ba3BAJh-eVTQpD124KneOe4sdcZ5tHswtu3rgQ4JVDkGl1zSFb-q85UwfTL-TcYapDS9sSKtPiZISYFGZBbxkyCw', '2026-11-15 23:18:16.297117+00', NULL, 'dispatch', NULL, NULL, NULL, NULL),
	('f913e8b2-f268-4564-aa0e-3452f6087bf0', 'T9SLZXR74L9', 'http://files.example.test/birch@example.com', 'UFERBLS02V0', 'sent', 's1.ejEKUtPs.-ZTnpnFkHOwHb6V8Wi3DImASQQgPjYOAxuo2N_3Axnql6b_OFEaeC27dYCgo0iKY3YbMNlh7jT_4rb8ZrtPQHpR0r1oUkRfmHatG4egJre3Pf6Qm3N0MKNMMkyVEFwVA7g5abzo4uPjzUCfN2EWdXS7pJ9WTpll87DmUAyOPldmCyvqjDLdV4npIuuAL5rD1xzmEBO4KsI0HBvfULCzmkqlc49SPlY9t8T0b62tHxlU3HqQ7_Dx1oEnJolCniPEaskG0y1PbgoEbXK53HDklsVdiq1lNsAaYg-HmRn_od57DCZdDVc9ED85gjbwQCq1bDJahQUIHmZmJ7GPo1cU8qrBGv1WFQGnYg7wla_lFh4zLnXQjtknqxHMhGkX7foUfxvaBDtb1Zql_8O01mhJJ_bsRgvHc6uliDgQWVNqHpqv2cV0jxkqsik6IwL4oh6IS-t1SE1t7qtpOLWAASn-ywKRqD4BzePDtXb8UVHpC6IQpSp0i8XgUd3u5Ow9nR0QpruESorEz2krglbeetoImQZqclXh6uQwUH_CoobWEVAwe0pw1tK-_MFc57M-NirULFtjSE9anvXiHNVgBy47Aok_u3de-_aEb1f0DYtA0yMt15poS0Z-CgVmrCLXOCnq4nAYffTLBXCQwr2lweOpu60LKDEX5UAO2IRYGHxKMII0iNZWpy_F35eE', '2026-11-15 23:17:44.117221+00', '2026-11-15 23:17:45.387935+00', 'grant', NULL, '2026-11-15 23:17:44.93318+00', 'XUiYePKhXEX61rcZ9UwF2pglqkIYb-UctKgSoOqHatk', '2026-11-15 23:17:45.461587+00'),
	('1635e28e-0c0b-4e4c-8a95-7fe8f7e0e044', 'T65C80LO67B', 'http://files.example.test/elm@example.com', 'UDMYABNLIVO', 'running', 's1.ejEKUtPs.lSl_-9M80RHRS37p9W7MAiF9TZ-h-sRwauGQi4yudJa_s6pgFfOl7h_9NZROYUSiMcJk-m3lqpHcKJEHcr-VhxdLAkOxqNM0Z18a5SfH--dgud-pC-L5nDMzrD6-XFKqBe3RwGEAKD9UQUNJ3LnNujL9ItGv2LbQO7rLbn4a5NP-zBOJsANJSLwEl8NwFhv6LmPfQpNhgz7DN2whwTbkQS2OfQXDGUv0x95IWbggeQ8guPPmx5Qsbf3lHkHMoGQLwcr5-vdE1gbG1eBS2IMZQuEFwddgk2RsNaHgkmw6yIZx-tD8GXHe1t-6yQr9AmlllgyFo_2yu6mRKbTKzI-V0aaZOzEfGvxTrmBeSq6g0cBigSCeUBbZRXJwR-64GwtlSwqjgvz6-RybjLRa8N_DHEY-mXq3LSJ6CGOgBKObLcVVRaKFf3g58ubw0i0etuC_dUnoAtXge9_ViyYTVQj6v4LtUrut0Xh1Gvo14ilyxLo5p18OFjW3G_Aw8dKlPK9VxRi7RC01m-Qn1ojER49xYVoq4DWXSnWEzrry4JKiDY4tWtXbOH4-1HyEZrAoBDm_UXQ4YUac3_7Bpu4SGlUV6NHIa6n9WWnu3LavSnQQELPqfTFDqEWLPwbaJ4Ek-siOTKKH03fgCwkLxsmP1VI4L8b2obvQE4Q', '2026-11-15 23:18:22.315162+00', NULL, 'dispatch', NULL, NULL, NULL, NULL),
	('b3aa0baf-5328-4a0d-8bdc-9d12b57f4e1f', 'T9SLZXR74L9', 'http://files.example.test/birch@example.com', 'UFERBLS02V0', 'committing', 's1.ejEKUtPs.A1_Q4HDGOqfsCa52oytLqy2qCD1dv9dBClbOYN16aCJH2gAQvbZlpzcDsG0khdGW3Qbvd9PTYMu0cR5SBe4cCszyxKJ68PSv5qN5__DE0Wk20a-KUDPvP_dfWzOnMByPIl0q2p5N2lQ6coKr7eHe_HEN7OEW_YCHvfAeONhgf6R51aIsr97bW9ZLsZHx5WyxW9kWwcxDxftDuGxKrdxtYfNY_ZsrnnLdzv46kC1TmThTJKDgx4mMUroEJnMg0cPb1-ByIH_UShur1yVB6b0ylF_LEqTcD6mGAcxA9dZrzWQPcHBCXlVI99X4aM6pUWKElMUaRQi8fu3QeT-31LQxzSNqevrLFyL2WO-eznV6W4AIsGA2sC_eJiOAOjpsMoqp-Kw_ZbOqeknF7BN1yL-HWz90lr75bvpctsc-zcHF9dnfHczjMNF7iDDMMXRyzDMV2nKGTUVB2YjXF5Vyjpb7U7Jk2KGOAj6qp5mvxBRop8iwOc69aV5F6oSVBaV0RZ1ajTyH9l-QvT0DJJbJXOIrpac7LUwkx0sx6j6FPgeMxTCcSECcQXKm2PyPL1poiomND0w0x_F59V-V_aHoSiTw6-DYQe0Vsf8gTVRnnGuR0rn-3JuxMjUWwrtCN3i4y8XfFKmS95Q5bs38mfReNrON5F_t1VNDAA', '2026-11-15 23:18:12.086487+00', NULL, 'dispatch', NULL, '2026-11-15 23:18:13.199519+00', NULL, NULL),
	('0b11ad2f-2cbe-450f-803f-c44c55337ff0', 'T9SLZXR74L9', 'http://files.example.test/birch@example.com', 'UFERBLS02V0', 'waiting', 's1.ejEKUtPs.1bNdXkkc-02EHVzL1jFSsejh5NZwu2nnTIu0cos0odD1WE_fml26XR684cGavoLrQt05ByPUZmhl7zbs_mqWxFU8-6fAqFq3GZlETcAOaX8pE0lq-TGXEL69wO-NpNJaa2QAq4cVxgqVzSd5kT9c9aSBS8g19C0k58ZrUjnxvzqNjxofBU3XR9ZVwjTtSwO3dTXDD4pKpsKVaApBRubPYwDRCx1nUEanWKFmnujXoR_DOmvrL5prfbLKs3yX8m23k8Awk181bAdV8FBYoAIHxWcq5SrFjq5SAnzOL-KKOabZUutJpCGAq6wwl_74eulZ_JdoC0i3Lqnqwq7ljo6_UoNM7idTryrNAnIycb_PZUCadzK5Lx-3CqrVOFXaSB6Va61dOMMcUDE8RuTR07-tuIVtWlAr3uVJeeTk6JUOnJ-m8ruqvB4eazqNI0LXC0G0JxtvWUPoYAy5vP83I2v0YlCJjjyz4xIq5woSk2nciYhgTYdVCMgtUcF2dqKVtF-lP-8aUGiE39YXA-VxZDvUXTqqkOAKQVb6w-DN5eIlnkMRceaQ1tVRi27xJc0KLlcIzMKZZyUO4sxVgecRBLu-ITFCiYwiU3M', '2026-11-15 23:18:14.621019+00', NULL, 'dispatch', NULL, NULL, NULL, NULL),
	('6eea2bad-40e1-4c5e-a3dd-f870acada0c9', 'T9SLZXR74L9', 'http://files.example.test/birch@example.com', 'UFERBLS02V0', 'waiting', 's1.ejEKUtPs.HCVaioEjFZr85S1R51aC8Dcc_ntqUdRB_Rt8yodMHEGFz-XorK7sY3GozX52vSLgNvrYGRPonn9hE4BAW2Y4URxqBm3aZA9PEwIP5OJB4jlAVKGcAhAnDQvc1BdqVAWkfLObxok4Ke3h9YExoyb9ZxXCeEhL6rrzg5nODevtVqIZ10fPFYLOCauck8JINQo_d7BRsN5Xv_S7aoN-dpO_HAO3yq9uH8bGxv1mPhjEZyCCDg9eBsOD4f5Rf-iEFGJyg_4zVG8ccDif1JwvyLmGYDr23RbFarwZXfB3SYi7hUVGpv9ny_jPhogk9q5XqQrcko08XjWG5t-J2TyqN486cpqseShgEOJL1jlbOCwd_rNconSmq-V4IlYG6nF0yFSuXJB5oDQpkaOSJY4pAAXwFEXKbG7NmpuBKf0eA66GhGGnWSzDLDsA7Kp6OyAO15Kk6f_ggg6AyPxzqxkM0FxkYBM6y6OcxT9ijoybqBqUXwJ0TcgwyYLmRVo_ajViH3J4NJNlGzid8EAdZig', '2026-11-15 23:18:17.445956+00', NULL, 'grant', NULL, NULL, NULL, NULL),
	('d14db7c6-adb0-4ca8-b91d-59a799445b05', 'T9SLZXR74L9', 'http://files.example.test/birch@example.com', 'UFERBLS02V0', 'waiting', 's1.ejEKUtPs.CW7QEp6B8gq4abv7ucJIaKC8XBxANyLYmAeU4qu1BVqQ-Rrt7qTXgCLyqq495Z-uRE3mCuJS9cNT2CeHPiSgLFjHuN3I7JKIcpRzvSPgatJLDSBltYS7TI59LPQHEI8n3R1kP09uddAnCcJR_GZegdUM_qpil8ZjQoPaVqLG2t9Pl7U08i3xUWGCQjQb8RZF9j8HQUF9N1odnPwoBfiEG7o29Z1g188SlGj6bUy2GOS3ltj-0QUlVIv_tFmcEPAPZIDmnUpN1FojleSa0n4P3Yefirg36RDyx90lfu0JK4gN_2Gc4aSxVPMkHC0BoGwALV5lGQW1hRJGuTOvsj0FRpANFHHz3dG-QpP5nBupd7oegDnW1KVFLycFI3yBKiKVLhjCkR4-e0FbvNv4iuGQt23oTYsaCdVlbN3cKQtVy09MSRlIeCE_ZA-IOLJ69JGjcjWLb490IBQgVDoaacg', '2026-11-15 23:18:18.30104+00', NULL, 'grant', NULL, NULL, NULL, NULL),
	('ea3b409c-15db-4560-902b-9178d08fb47d', 'TQEN5TBUIO5', 'http://files.example.test/cedar@example.com', 'U2AXPR7EMWL', 'committing', 's1.ejEKUtPs.rLQCt-sIk0Q0T5tGcar3NXS5qck6la22pVPcDlkKZT_DERUD713u8adVCW8PNRx10HfTKVQdT7zOx81Sie8BgyaQfiBgUaqzBHdMiPnXnp4L9bBbMx_CTwRdTnTBaxv8ZbKwrAU91_MNxogVBUWxi2o4pJBnVPHBtKzEhNi6KKV9U0sk59nn0M95UgTVmyVjUsT3EJStp6LbwXgmy2GEeF799nUf3eDrkBHboKWYR-OVT6miTYC0BZMD4qMhzUCFdxAdsbHuJbdqeFqIAtYAFpybv5ATxTEW2XQcjPSZphyVOoYskJ7uPtu_s0co12OlOIt_HhGcOZcNncJ2Cw1p2zJqxxr0sjxiIRReFqWHN-e_RTNUgxxWXNj3hSYSVRDckxTJIVqOe7WzUF_KMTQN8funpSPjrr7HqSrlSStZKedhufHn-v1Jw-397-6f6D8vcIyQ6kdU-65Sgk272A6FKKZJvQFsrrPXnIlV7v9TuiNLd7XLGMb91I4ZzxLh6sOU3osFWczZWnzhex_L3T8Mmk38uPsCldJtqEsqfcBpwAQxqs0m4Mst-ssot7husraPxyOudnnJvUCZ--HK_lAxOwlOHUg2nHjQQL57F57gbvkrrNiYVUrHQBaE3Z5Tpwx0ZFDUav5tZc3W0yaT', '2026-11-15 23:18:19.532988+00', NULL, 'dispatch', NULL, '2026-11-15 23:18:20.883087+00', NULL, NULL);

INSERT INTO dropline.holds VALUES
	('http://files.example.test/dune@example.com', '4a6f4c11-a63e-4501-bb57-f26949363382', 'unknown', '2026-11-15 23:17:43.134151+00'),
	('http://files.example.test/birch@example.com', 'b3aa0baf-5328-4a0d-8bdc-9d12b57f4e1f', 'committing', '2026-11-15 23:18:13.199519+00'),
	('http://files.example.test/cedar@example.com', 'ea3b409c-15db-4560-902b-9178d08fb47d', 'committing', '2026-11-15 23:18:20.883087+00');

INSERT INTO dropline.inbox_items VALUES
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', 'LqTDaWRwDKRLDt6q5jt6xhx-85NUxdyEys8d47G7GwA', '2026-11-15 23:16:23.416834+00', '2026-11-15 23:16:23.416833+00', '2026-11-15 23:16:23.416833+00', 's1.ejEKUtPs.7WLQ9GVPEySzT5Xp7_pUzRLiklzW1TxpurlA-p-RecUw1FCYJJPfoY6m9VMMtUqa_YXY3wRpYTg3T-aWE4-fZtRv6-PQqJI1wPw8KizbxsmBVr9mN6vdhcDyR3VSMuPIOMootnhjJnNu1XoTTGrLgT2xZ39AJlkjj6NxpatdpQ', '1OCnb2M56glXLcF6l0yNZDp4ny5Kj-AcIiXqH8eTtNI', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', '8e2qbrqMRiEzF21s_C2djItibBEwsVBE4DtT0yGOJaA', '2026-11-15 23:16:23.416835+00', '2026-11-15 23:16:23.416833+00', '2026-11-15 23:16:23.416833+00', 's1.ejEKUtPs.X0yAFdhAOfwxCHjqUcL2bf8MzvAyrSmm8JFKiTMw8fFeLEubIU1DplNO2HBt43vKm3mZz-0jv2jlHEJQZjrJnoKNn2HYgesf1pvKcvrESxoShu9U4_wCUqQfcykYGeylFI7r1SNb6JnsN5FazpQp5pQpIHQQmoTdgYonBaTJeA', 'zGB5fifidUELwJUy_1TjheIK085dsMomnuH4y4Rw59g', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', 'VgaO0pu_vusQYZbMjD3Ja0u179EtQDeUEyBh3xSK_BM', '2026-11-15 23:16:23.416836+00', '2026-11-15 23:16:23.416833+00', '2026-11-15 23:16:23.416833+00', 's1.ejEKUtPs.MpCkGGdKe62NExraAcScC4aKXeGUmSTRA46Uur0mOlNix5bbk8t1WC3_xXbwzrdaT6C62CCUTNU17cgsq6mi0l930ED4lLWliqmLjcgrYpceFIwR0h1O1g6XHogsACWgvm4nRVyBw62797K7Ucop4nWExahBMg6Oc9jzWch79w', 'q7UCgMLyU7ahzKqMtdvIwRKeFjSowuTFeERmRRhj4nw', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', 'eX9C8UmhfQS29xiEZPh8r6SWPoqRz7gThHKrdtC4E-w', '2026-11-15 23:16:23.416837+00', '2026-11-15 23:16:23.416833+00', '2026-11-15 23:16:23.416833+00', 's1.ejEKUtPs.0X28x8HCTddYiz8m_Cn1jqBsrjUyYjLR26DbyYhPZ4XutGGPCGdfj7qcjjaQGmsHNU5R3xbMY9jBNHVxicxwn6XzynOCuBYriuafqmo_EEACbFLQGeUKsFQU3bZYuO9oYhgyElu00ulYfxyGaqrsb9KyQvFzdEbvPJbgvaGzhQ', 'Wf2Kip5_wEkxhWfmSUIvZm-WemJFH0Zk5DBiAzyqFuQ', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', 'TnxjjdYV1j7KWwLmR_a4wE9qQzMdn-tKkj2mqWnMwGo', '2026-11-15 23:16:23.416838+00', '2026-11-15 23:16:23.416833+00', '2026-11-15 23:16:23.416833+00', 's1.ejEKUtPs.TU-VSZAGYPgFtpEmaZZfM-GxXnJ11RoTLaWNPrmfQmuu3pVbU7oBE3syMsHjh8LJ8mx4aYWRaHJ5Lr79qEb6dljPbNlukLQeuwPoT0H9bfZ65bpessEo34xku7-r4_38z4OKif3PzrugQh5s6h5a4OWVuiIkGjo3VtEUv8-b4Q', 'o5By3dKy25DUd3kVUCEom-KxqE7yLDCc7y_tmWHElT4', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', 'lRvIstRHuYcTYTz1gJmyM3zvJGIdZ6Gd8JILei52JI4', '2026-11-15 23:16:23.416839+00', '2026-11-15 23:16:23.416833+00', '2026-11-15 23:16:23.416833+00', 's1.ejEKUtPs.5dU9UXOFvupN3uJrbj7lk4qmCNnAZVAmsYmvXb8X64A_vtNrt79qPVYDCENhepez7oWALXDlMcQQULlVti9MaVUDGk_tn7P0whb5LjWDIjr_INRMlg08cguTiw05Jdsf9XS4a9y18JjllVm4iMaRe7kzEvDayVgpiKcedjTFwA', 'ug0TEvcMVw_MzUHEzuKLiYSSYKQIfyt4wS7A_0nTG1w', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', '7gHxT9jatTZNsL5BTh22HrSwgdTfSxPhOnmy_7p35zc', '2026-11-15 23:16:23.41684+00', '2026-11-15 23:16:23.416833+00', '2026-11-15 23:16:23.416833+00', 's1.ejEKUtPs.BRYjgoLe2vCALVK2CeexKPmTeAzgsy4euOAe7QRUVX-lYjKBFqsN5SNj3Mab82bw6-NpDTRK1J_1OC28yJJnoYnDSUb_-bqub1p3surL7-etALvZzYYk7-DnM7oc09dkz25yLNQUTJPOPLUFZBw3bNgNVYOFFUW8FEtSRdIxeQ', 'O1cKfMjm612oNxcUS3FmkNTDAkQQn_9SFD8Hme4xqv8', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', 'Wayyc4tAPZ8dzwPrCks1NEFtbNFF36BbQP7KptcWq5A', '2026-11-15 23:16:23.416841+00', '2026-11-15 23:16:23.416833+00', '2026-11-15 23:16:23.416833+00', 's1.ejEKUtPs.eA3RAtUcu6OfLmenwpFkSZ0rZbgRHau75130pmd2hTLQxgfiBqob64sAib2sHhStitXa_COhLxLD6sn7t5VzHdnDe3jkB4xtzJfOlrHjOtP90nacTo2KkDNlXZMF2Ricn5Q8PGbex5nMy6YgVStozhcuNetNC7EWHkBJ--o4lA', 'eBLhsFmBj7yDE72djm9jRa23rDXIMABk5wB0HvTq_BY', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', 'gWaLKHQIeo8mVWghrDoF3eXqjAqCc7RDaYynKLDMKSA', '2026-11-15 23:16:23.416842+00', '2026-11-15 23:16:23.416833+00', '2026-11-15 23:16:23.416833+00', 's1.ejEKUtPs.-wbM_rxbiMRqdyP2yGYaChPtoO9E_NsYqBO7zAO_HEik0fRyySM-Z0T4dBTdu24lPGMT_tRBlENwLwJAgS5gdTVqdHZfuW72gjW0d8fl3KxHgvKQ6C0bKCwgZT-oGbTiaraY2NFwW6NzhNY6rxsp0J93O39edARO8rzOUcDGYw', 'ZCgBaoiJC8F1Hhl46rbHWtTkNRIcastOivz_dMu2Kso', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', '6GtZkIZ2iTUZ4Jy_i-0IyFWNcEhtC9hWEIKFMmw6-q4', '2026-11-15 23:16:23.416843+00', '2026-11-15 23:16:23.416833+00', '2026-11-15 23:16:23.416833+00', 's1.ejEKUtPs.TKXCTV7Xqh3e_bqJQD8KdsEmsUi56X-cWL0OPpXrf7EEEgyPoX16BiMOpa3Dt3iReTckz5rgDOWCKSbuKcvJ1uvG_6sZiuNZ0cY4b9mEKTPYQXbo4F7vWcdJjkjy4S3Oj-VHgIhdd7lyoitvo83lVaHQMl4N_jk8qxKklciRLQ', '5PyFbS409CFCUB1PhSbU0qsVXt4an-BJ9ktUxTO1Oso', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', 'aaLqKiH198klQoiawEJCbNZT5SK42TIuZgHPAYZp7uw', '2026-11-15 23:17:16.751975+00', '2026-11-15 23:17:17.182869+00', '2026-11-15 23:17:17.179751+00', 's1.ejEKUtPs.xJKXAQGeUUWz713Zgc8PEQyTXf5G3tPb1dsaktPkMppwvjdVQa8KcDlShKB0XQaXmLy3ZnJxH2fggtEL9hfTUrag2_QxhyClt9WYh7_g0hi25R6DVqRM9jT2XTsc4r2yr2QTxsNDrAPJKCVW8NA3VB-qstzdZ21vzGUIIYs2OnAZ6Tgqbqnd9g9nutcdlJRvYQDYJaKaShn7ZuEu1U3mwcaDJCASfRy8bSat--iqWr-fnj1cKBuOUZCD3A', 'uWMD6m8hBl8j3x3kaKw0VaBXBpZ56XQqI__Kfl_FIZ4', '2026-11-15 23:17:17.182869+00', true, NULL),
	('T9SLZXR74L9', 'http://files.example.test/birch@example.com', 'xxbrxRHRjiIrKGWv9Y50lLGPrln6xQuGZRBdqLXS9QM', '2026-11-15 23:17:45.483966+00', '2026-11-15 23:17:45.483965+00', '2026-11-15 23:17:45.689702+00', 's1.ejEKUtPs.2jK8i1SBZghep1NKDGMoIX0IWvwjok5Qx2Lc0hjpw0YNcQeDJmXI4nDbiKlRV5vCtKmr5fKq_civXn7J1bQNwrHJFXtkJwdXtyZsFVHTt4aTzfPeRcyvCEGIdpsOcBo6qjkcwATFf7rcahCaWTBKkr6HUWU57VwEvwyNPcjz_orvajs3l39JupCADkAGnO68I6oxHGhVqMaDS-ER68xYqZNwVquDif3Cfiqsa1seTSqO0EkGC3wgrbUm75W5kwVUihIpUQ_NAemSAlkN8dfidfLqlNqteiDEvOLjUVHNGGVza9Bug-bjb3nh8Q', '2BNpejFoP4cxZgWpUyWPynnj9LCP6lI5OTp_s1SvqsI', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', 'WkMllByIH2P0V_V_5Qn2t47v9w38-3Yf2n5xvyFwBv4', '2026-11-15 23:17:17.926769+00', '2026-11-15 23:17:17.926767+00', '2026-11-15 23:17:18.335935+00', 's1.ejEKUtPs.w6Hgl-xK631RhN2L4ktrVG14GBiVDUkisyNHTYovbH10UR5Hhy-G_gBBeuHaJOckrXakFT-W8mIvBLWgm1tcobgC5xsvU4wlSQsGqdylD2pYc_bpha_fOSc7vvpf1ZPP-QbGoQsEXvOrmQwH1vawf-42fbw-PED4QaO8GFutxjqgJGED_nC7iUC-oU40arBoaNDcfFgwIzxoR1nsRyV_pmmaQsu6Wc5yHL99EjKvdBsoIqjnJbdhprCt', 'bs4wvwXheCkXttq5np3F-tiDZiAnZAZ62MZJITSr-_U', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', 'GwuqNkW_Cl85Kj19jSiur6NxwybrF72E0sCkCX64U9k', '2026-11-15 23:18:24.834857+00', '2026-11-15 23:18:24.834856+00', NULL, 's1.ejEKUtPs.VqSHpz4Sl8vDBAnWtTJnBc8prDzfsWT6LW4cjHH8DBTjTmBkTVzrHxJ5NNDj88GoIqT-VEHSo1t0DBj_NgucWmTNFHlyTrkJ8uc2GPxOIF-f8GcCu1ck-nmgrpTk-GWpHOOefXMOe2lQ_zjOn98trgGUWxW1wKXAL_hZpVQHjkBaVjgDYdnV', 's6Ls_ZcHItPrY7LHGT75T-96Wa8Jko0YXd6YhNbGdbo', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', 'pAXzwGsEr0u7RBXgAT1Pb63vd4vsreYJERbTiNr5Wic', '2026-11-15 23:18:25.196073+00', '2026-11-15 23:18:25.196072+00', NULL, 's1.ejEKUtPs.vFiaccWe3JmhyG2O4h4ERwYkxa-DmoCS1P6K77YKfCyH0zrvOhUvAyIum3odjOGFm-F9Nfp35d44gi54Vf18EV6GdDsQpw-agHlcnWgOTjr9M9l7ASBIhMDdpXGAkIPb9HKjbiIUYUTTbxSl89DsxWMpPCnavLrjnl-jpPu5d1-9a0RittfkDlHzZQ', 'a1yMa1K5cMMuXKN5AhcRNijtkYq9x-Ng0Wgtl4gBIF0', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', 'R8ZrYWybMskLWAw2pXsxdX1f6x3JwH00k3f6aoq9-NM', '2026-11-15 23:17:18.617384+00', '2026-11-15 23:17:18.617383+00', '2026-11-15 23:17:18.913851+00', 's1.ejEKUtPs.MBj-B2xGMcN5xtLa4l1fvo4TkVg0jb9NZRucYUuoNHvMBoFH18JOQsFdwgcFeD_RK1kZ7_QCn2CjU22e49tKWuCPwwYn1M11LrEatcTXypTi1sLk0NfmJrZ8Ue2UW3u1dmzcKyBx90bRzqSl3qrFbaBYiyYTw_8vVfhN_xNKk1GOkXy4u0vHQqHl1b-fijblZvCND29pN3BQnFxVRFFDA7SvQd-h5O02VZ0KCHzVM_2DdU3TCYn_19uSd9A2fXh58SwPmza1HvpA0McljKkftqVTTNDVcbx5CqyUToax67u_G_4ts_EHJz7xH1G5zkEl0Zp3YaAHZfU', 'bEam4xFTj0euY6uHvtILL0GvYoMU7WxSM-_ZN2n3vDE', NULL, false, NULL),
	('T535XLWLQHR', 'http://files.example.test/acme@example.com', 'PRaOrjbKrhddsIfPlmBZlPb4SXX8YUkK3OriH2naPyE', '2026-11-15 23:17:17.926768+00', '2026-11-15 23:17:17.926767+00', '2026-11-15 23:17:18.321472+00', 's1.ejEKUtPs.WeTKUwukUWTq2MgRMkvgCQHlw0uR9j4ayveLju5wto35VpziahrxF0c1TtlWwsjKu0jxDP2sN640DlXyrBPNfw_3F89cdNbGmzB_3sP4fvbEat38gHgF82bviJo0w0wNgri_EddII4H-3IvLfdlQQpqEC24KY35gfhkECp8lqaLnrIs1bkfgoTPXFM8DS2xX3ShxP3ghib3twe8PAMpzouOT72PU64wlp-vnX-l94Hbe1JhlorP4YQy1zdzrDCxFcMp_kigdea-74o4Vp_kW0_42ASvVyAYGIGY0QmuYZ5TFa71HJLALc7boQe2ax-nKeNDDRt6BpNC8JcavicC7Tt2oWkAme9zmm6gs7q66GuZQ57081yh22EVd3E_WLDCs_Sn-1hR5dAmQx-E_xuP8BKpeegmZ_gLvsQnsAgOWAb7ROWQVQc07DNxxLcb59H8yDKXjzCMqCIwZ6Q28H20y0N10NQbJvV-PvRW789To6eaWGbL1H8RdoXxj2t8lOpR2KTEzRsscNcKPdHmr7u3OMliTHqmpRlHbk__0SKYPXQtoVMRoA96aPVeoAYYjx5jv_up7gSW7pP602nK9rJG3w2roDEJfJzOEOmCvi6Y4ZbYq3_81MKJj60kPiB2p73qvdb4xxrOB769pkXcXZcP2Fq1bE9xQT_MBtti2am-HL9QRZB81ZiHRsPzI5LMof-dQq9_cbH7d25Pmzzv3tDZj8q_xkagGMQQ8yfPw1wUcaJ4dxinSFpwRDpP62wdTtZ-GbqBg', 'sX2brtZJAG9_dSXToyjdV3uZgCzaQjL4FKNp_fgEfXQ', NULL, false, '2026-11-15 23:18:26.600412+00'),
	('TZQ7PWU07K0', 'http://files.example.test/grove@example.com', 'ChJL4x4jlDqqtOxEsm5ARvfpcewpuc3f0xE8fI0mW0U', '2026-11-15 23:17:20.494056+00', '2026-11-15 23:17:20.494055+00', '2026-11-15 23:17:20.704306+00', 's1.ejEKUtPs.r0jTi4j_ICe2wLwuICjcTNchEijSMPqgzC0KxpcualWhdSGFAGWrkEcYZWR6Rh-GLGr9vr0yVuZWfF2cWhjB0rkpqVNWmBA2lbDdVMVxP4a0kTwK_Nryp1rAnW5eHnk_aSGt4hq3coo2CacawFJShRxEpqTGwZCGFleLnZZ899_7tLOiqGJ5p8AQ7LrZxaiPn3tGTUhCXAZ1JefIW_IyvfEfY_ovAdGh6v-GhAmufohfadq_mfLAwF4', 'QlyPKIkGS4MwpPdaM_Yl93Zniu7ceIhYtNV6wj3y2vg', NULL, false, NULL),
	('T9SLZXR74L9', 'http://files.example.test/birch@example.com', '4ogqhelTCJkh-gsqmwpkuYMZ1acYOIVikELIgvAkuAw', '2026-11-15 23:18:09.828403+00', '2026-11-15 23:18:09.828402+00', NULL, 's1.ejEKUtPs.zLPtM-YKMbX77cBE0Fw7wkHWGbtj8-D7q7c1UoaEl0OuKHSN7lqWh1XnE3J-qHUDATEjQUgSkPb0AVYQBvD6veTDV8FR7PInCi3Y_342ht6rEBSHqQO6j4e5u8WS_eZgwdUC8hSF0dr_mMP_hn-5Al3xbx7BmnibEop3f8Dca5g', 'U07wIAw3FlDTdrqyX4e01-5uxxUNxUdbj00_CoICNIo', NULL, false, NULL);

INSERT INTO dropline.keyv VALUES
	('own-secret:database', 's1.ejEKUtPs.SzN9Mc-D41w9K2P1ou_Hu1grPhEukcuKfD6mTo3Xr1qHfK9bAc6VD2dEfLeHS5vXr_RJr1wQcXwBpgc7PNqfIYjsjx5yfw78_bFBvW5vrn5EQoKI', NULL),
	('installation:T535XLWLQHR', 's1.ejEKUtPs.hw5Evo_tiEWgJLP3i3aXR4axAxC0MehouZbpbnsaJsRzMDff6oo5fxEdslmRvtNva-rSiuc_BLwZSTuLv8AhYb9W4gCNlJFzRWdTmOiWY5V079NlvSvqwM9YcEDZlnXGk2zgyGVhBAJ9D4D7Ukd9IacjwWKr4Dj94qHzeK9uFOCuh0j2vJKfXNp2xkVa5US9m2V926YZQib_SyzpLMpxh_xXyK5sBNxU6KqlqQQXkDBB0qI2jLn7DpjX0Bsh95Q5EGt9V78lM0Lke90mYgswS2Gbsf3GVMvQPW4XuayJ4AHQhQ3RWDEL-mQaOlm4TMhHTc7CeaJgExpGhIsygm6FLEVUvMDq7yhFaE8I9F2M-lRXuWn3bmdAbCOVSKRMn80Q6kI4wMbDSV3xOrflUh0i70d21OOTWdyIL8Ycr04bZeeo1AxVYuE7_U9WxfWI1SrXBJFvZFsJOsecVJaJe4u0vVA8-AMi2WuIXh7o5yfVwntizdQ5XIONujJIk8fQObmq5Nn5Uh0h6RoRCNxnntX95t4OLXoRTpJBnhsSWbJTPkLoej7oRCAb3I4', NULL),
	('installation:T9SLZXR74L9', 's1.ejEKUtPs.wlnxs_KOJ4OrlCv-f8SRCOyARCJAlyQCYsq1Gg5IsOLTLljjHNfucO7Ks4MD7W5zJLFPK8eht2LI-TO3DTWEvn6VQuj_5hCNzAZbrl0TDbMA8wXf5y2T0WV655xOpk_Gv2T58OFPoSWgDOyZF1PDY9GqUf1rgstoz2FnJOmcIVy5LmtgSFfFHrNJlKnSk896QMqlvYsdkpFHdYIrBtRjI9orD9ZWURkb4eAKGdQXcVoGRAx5Zq-uHuzBd8JCWeEIIUXtgBrny7uG4A_pkRVxVg4mk3rFbvOrYF1mfrsVBWlbjQbmdxAO_fdUPssRboO4j3oL20keIyx7wSbN0trIeGkCXSidKBkC4IaW2IBEalxQ2AKMVK7hZ9uxItU_ZsgLxn1rSByBT-XhiybzUi3tr8eHVl2LvwdjTj-JkNqyA7p2ayYIgPcwrCoSMA4Y6pGuV98DrR9D9_sc0TVjOws0DRQFFVbfrcdW9O4fj8Nydoqnpz7eHrsiuk9cyumWAilgLW5jWryfwQclyr-v52KxCd8W_kGNbYRuIE6ny7QTs3yj9u1Va0W83GQA', NULL),
	('installation:TQEN5TBUIO5', 's1.ejEKUtPs.yVE5_PqpQHvyOSy691bGa0vRc9NdsTc03Sd7mgnLu3pK5Yd5W1f9CVy6l8mJLcR07QyNQ690tKEXhapo6s6i83xBob1Jf_WWql8uLV5vf7hZpea7BiQ5M6lgpk57XfKrZPbnv2XIQrfoEebdPI3fssD9VpUwmiaMHOUTVhybpRiE80KcnvIuEbPM2CtL1pSC8tE6j2fTzloL2AMatpCELyD4_JHsMW7zyNX33HgIjl4MRb8joPolqzMstpwW1GF3thCwfH3hgDx6nGG2xP_LH9TfwT63KsM9V6MTsntheHhBm-vymyOReTS7RcJoNJxZYIBxeBsQt3_87OLIjajHoRpTc4pvTrCkpQBBhx8bidhm-YR9jbs-Sdx0sCaJdpLocHGCgICZVe3yGTcLASIQ46sfoSTvA9105xyMVBvk4F300YlKr6Wa2L_qcoxS1ilxulbIIuQnlrQ1UPbAdZej4sa5zNQpqcqvm1mBunlaWSrl1_Q1ApUi-HlUkhfH7dzUtl_W0vvTtbkErQzHMYMwJyUtJ91ONrEhaboOiklRfUGN6ciWhNum3_be', NULL),
	('installation:TP7TJY6AY23', 's1.ejEKUtPs.W87JsNdHHld5jI6ILF9rG16AHXGxCvsZW9JqIuX9xACyfDc0o6bIv3_msNxNNK0fRSZgw2siHSXcBa_BsrexP_jUjZYoBz80PXSTIz53mvn3TI-Gi6taTLVZeG1KAivzmVK8B9I1FEHOgY8mOfZb8W1Ot-sgGVjyRDHd1jUkPlsqbQRRJRwvfI8fKe4cbqyhyee8Jrai_Xw4VsFdYTK1ujTzStNyc_TJb3EJozyWr2UCQ4KDx3K4qTQ-p1I7WWBxthrKY4lCLYzZ40n-ivVLX7BRwerOHq0buTU71gah721xsJZag0dWYO8AewrVQy9ujsEpuz-lnpskZJR1vgTO8WAtn2OulgPqqEKZswhCoDccNqxz6eqyb-2I8q-kETQ9gwDeFMnPTAuT_VE8pIbkBEwSF5wP5aLcyfKSYDKAmPvncDOxdUyrX-vcQmuvib4J0vvNFFYqM9O3fD8BmgJII-bm-inDxPcmXye3P1FKhWYxx3uxHETWjxGO5D8XyMCV1_iUGo3wGyTwSWxrGTZEz0jKLuwj2geIhcGeHpAzztBMqkq54q7geLg', NULL),
	('installation:T65C80LO67B', 's1.ejEKUtPs.tqbQRGl_agTXm3VecfltFIs-odPfg_POHWL1tbgLHaWTCY-PUxFNKF7iGicYXQpA-S4mtmtrMxcJC3zFzDkGZKqSRxlT0xsyuC4Q4_rs9u_HVtpiQ9qW5tcZGX76TFEZigcnnabZGXzNpikUVuwlFWpVW8O2BR86fYMN0F-ej2LD7fUSbSt-7iH1OzodzHrIjub7Fyn3xIEx0arB2zb9jB2ZGzHN1WPnzO9jAzx9gOkYeAmlFChu2sXdJ-8L18HkOGnowV0BQopkg55QoR9KS7cgDBfJsJHhsNXYMeWrB-Dgs0jvKqVuE_gwizNyPGv22Rxk62Mf6joD8MrWfBLfW_r80ST_nUOPAnZK_4KkmTYHM4I0Z1y7J99fGtNGNHLXeC3abzAbinbep3HZcZVAag96VeCGID5pXvRsyaskIPy0KpWcH1iLqMRFK0bTzvwSsEGcCtjMDGpBXsFq2d1mfQ8TsVE8H_VwDMhB9vhvhxqYKT9rCos_xKKCwnE-8i8njv-45zN15V60Fic-CBHJXnA4tJHAMhb4PKCf-DqdChkNI6t3x0mmBQ', NULL),
	('installation:TJ6IVXP1ZW6', 's1.ejEKUtPs.1tHQw6ZNV-mNWUvqurH4bF8160ufwg2bS3Pb18FAm0rvzycxxP1umT43dj6C03AzJ7sdVI3pZuO9pzunqz_uQS4bFYuD2dcWhonh0Kq9_YuCasPTd53mCfwF2QDYRXY0kPFO_XGTlUObjwtdE1v6qlzLn70AMwx_99q2cPweiU2NGWJH5QFts-8BKkWbMA24V-TRgwsvXMHrJZfkDLWzrzJw-Av-s8Hkq72f8Bfb_nhtxvmtCGB0CHFvoe9Z5WMQG6ytzeMlBcgORtLBDLk9nOVzUBU6UQCQLjFDi9M27NUpEzSMQ7TLSpDg9OcAq3BFDmZoxqRjdwj12IaCyqj1kh_Q6gVAFn1kWQua9quBAxFredEPMQVR5FZsP6zOfkVPohaAN_aEugDevEEL6yl3F_p7R5jZkVBPyUfgAYdYFNenftsTPZT-k-CFe4nJ3TQ_r37vmUHhZXFSuPS1ORuwSFqUwz_mbc6VZqisIsXcc_prQhAZ6iPVHhnzSorUMB43TC1VkE2iZSjI_bZE6ghElMPAb8r4-COIzXjstle5DQv7Jjhk9Hkspw', NULL),
	('installation:TZQ7PWU07K0', 's1.ejEKUtPs.ASBTjhLAmzI7qkNWIush-S1LBtiLxxeU-XRsZNrqASo9vwI8tO7JmQprT-Li1iyJPPs-pGj1tw0qxJDOYw6Ttn2YPxtCrGtq7chgtm_mIl3uEs1Kb3ok57EcFVmrNEULaZpdc4FLcseneD9RGMJOCBaYYJgvTTJpYIZfjEULDstB8pIS4vyZtqARvP-qQGX8Tc40qy1tvaLVzpxw-NpGtCBLSfqpmxpHGQUP8D9Vb7KjQQqRZennMjLiMO4lJUpCgTyjf1TuHqJS0kQkXaCRSev9d6nZgEBtKe4pbgYtyNp3k-JuECc_20RxzRSjnHPzLxz3_CJxXUtxvCpIkOYROsyeDMqIYQ5o50td4SoAyGvFdpoXd4Fgf1zyJ_myEbgpwsCkMjcnvzl8Gim_VXvRm5o2C7g6f_UT1MKGXOdLqpRpfhael1ZpEXHC8fBdpVXeCWdkXiWxIX5ilfSn370jQubwpoCbDxWDSu9n3Zreh_zpbwN9CzEc3X02-jGzCVxHKgPh_P2c4tCGogsattFw0A29W_cX4YKmKt5-Cg3HDkg1YbMTSVtFddi7', NULL),
	('installation:TFELH1X5T91', 's1.ejEKUtPs.5_DkqgErYvIEZh8StUQz7iAU76F-8s34i6_Fsfy6bBoULuOi4W_6XY9tehS8afNrH8jSR8CZUBqjeORlFuDlT3KmB_qiqvkJ7F2hLtxQgcvOKGFYr7S2SIHoHqu0Ozpa9S4ccbUFBznsAZZToWh4bj-WY-nbdDhLXNy4oz5HJcnjTEVKdqJUwrPfl1dLlKBO3ST_7VXvMqFHpcLYHfIz80hzhWnJE0LV7AgKvZm3h7s-uzeVNJBwB6MkNsFd9KHTp14sp3gZgZ0q7hBrxeXzn9ydf4StpZ6EnmVFZhjXDCY6FGixaefxEWsH7kytvAmh6dJY46AzUw3FOx43u1FTS071hV1SBIRbb9jGQ0yAN9BvNIVYu5nCYpzQV1QkUgBTkY5A9AmOQvLMRpovtQTCWIdWCLON1lITzxuio3rhOmOi4-FHTjObNm12mKeVaMYlBXS7x9-WqiYzA4gD7chGqTUFr0QhKkgm9iqv1OmtlPZl2y3lkHj5sWMt1HOmC_R-gVOnKNEhJSiE9bh_xtViwqkbPxolOy23uiCwdMkYkZ9TzbskjJFMnun6', NULL),
	('installation:TUYA14EHO65', 's1.ejEKUtPs.14hAAD5hKCuW3d9uEfDtyBk1Y3gS3lPBZQfmNXjlQNThKBUcW-D8d8geqwTk3qV8WxkFTVNmKqU8GbjSb14aNVdC4J24402ZGuwZKfGL9RdGA_ocO9ARYcuOXHZSvEz_OMiaO4oA1XTRx-8JdyCtP3JohS_2tELLMYjng2VIVrdkmviGJViFbe9rYgMke8U4g_x8vhmVSnMOqvB2QRVm5qYAeDdsceY2enVgWskeePEt_Bi9m-2T8DxZ0Cd8dYb_ji0244a-hDalVW5Xkx383EOZJRc43Iw5BSshiq1fcFLyiniOZ0JL-jDngPbh4yiJ6R7x_F96e5P9T8BYAfBxUOS2g6NPHLtLcN1t77qZvs1U4psXzdAhidTmHZI0fYePYgIXosV2Na9BNAWOBi3q0JfUpLJm2nkNYsdfgYQwQfP11rnEBEmvRz2fq3VP3Acih7lJKK5q2jdXqJCxbR2t6rE5Zj97V8KqJqXfGywXLDrhFdmoH-RBLaI8HVCj_IIa2VcxpMdaQcdmORdU1zMPJkm0W3CZqTeve2S9Cn1Bv1waEhxOZkTkEvk', NULL),
	('credentials:T535XLWLQHR', 's1.ejEKUtPs.5I1HXLR5TBtkFvTver_rkaaaruWemN1FMbG4IuYahLYckiBI-Qt5rLJzgg5cAqOvwue6UENtPsQYvWJWNYXZt8xdD7tWcxN0YXDIn7ZsowGV38DrfrLAzEtQmrgxXc2oVYELw-0Wrxynu8MrpXx9JlfKpCGpms5EOLXeb-_ujasEyvqAo6ntRQpkrVAGA3D5O7HxInnUArnvnuGWcTlPJm-3qLYFE95ygdjf-CeOggp1b-JMHNZImblH', NULL),
	('claim:T535XLWLQHR RPskLu4s9ZdfIz-krAE9uIiTxbnEbjrZQmGWsW47GMU', 's1.ejEKUtPs.bgjHSqUVDioiHT-P5eygAlu4Jxu-bsagOyrEkFPHVhBp9-KkLbyH6EAq4Bs3MPStLFLo8H3BFDr60c_ew_QwF47R', '2126-10-22 23:31:18.121+00'),
	('claim:T535XLWLQHR NErYVtIDLp9rANGG_TaRrmhNV-Q8jqjQiRyeRQnKs-E', 's1.ejEKUtPs.UZ8dmpoz4EhrP4_bzFbRylubLyM6NueSYWpJMqDDqn7BH-FB7cNpuzfGoc4poJ1ZpiGQeMzzi8MHmcVvdT-CpZya', '2126-10-22 23:31:20.052+00'),
	('claim:T9SLZXR74L9 GLIESbjiZeUQpfm5yUcwaIhz-ClimuSV-nEniUo-Fjw', 's1.ejEKUtPs.KaU7WEW9QaTnQncTqw3gkEBmrs0IjfR9ZcjkY9ATw3C4MCPaP98s8yMfFWuhs0I5AsG0EKt9aPMh2Pq_GmsNhf3A', '2126-10-22 23:31:25.197+00'),
	('csrf:_uf25fEi57JJ5e1jg6dhrU4Pyf6lsUuzKWmPkbFPGnw', 's1.ejEKUtPs.SKr0yvbIXju6Tn9YXvi7cpu9TD2qsxy2rG1Lzmif97nQvhyQBGfRqBVZxthuDCRa1E0G1Pts5SPhC1P7k5m7FEPbmAR3Zg2vyMEQsjMRYnDDgJl_PHcWd3o7YJXC6Eyflo8pT-DsQ4cQAmZRYTSVpm88eav7gipCaquKcNjBdgMx2ki9Oci7FDzs0wqbRFw', '2126-10-23 00:17:36.571+00'),
	('credentials:TQEN5TBUIO5', 's1.ejEKUtPs.6J6FNKmd3fbKTxQThxrf1BmeQQU-GrMfircs_Ltuio7DhEDCp__w4TOX09ES_SEhSfK86WuVK5bFUNelR7fi9b8wxSYn0Kr1U_-8U9jB6_Kzc9-A1wxzunDvPugNAw0SH2Na-FOFpcffZIX3x_71OQzp9S_mTy29QijdabIuqn-2HQ3cFuC47TzZgXG8ScE8kNPZkg6-LAdIV7icXb4CWf2El2Rx3Dnjmi55bhgc62JZrepyC9jaZkct4Tw', NULL),
	('settings:TZQ7PWU07K0', 's1.ejEKUtPs.GUTWPx-k4kclMY44v20D0S4dddfobZG1QdcS6rrQK3rGtLAnXcM64NgrA8ihAp-uvHAakOtIPfUWSMo3iTwhlyhoBxdrsB1Ao2ypw9BYcg3MZl4Tfgk-yVXFIiAbSTzS7f9-0-6QXxaFVvvzixVVM_H-koz-z1awG4TO2T3bqngbaLmQNgWABc5tRlIscnA3erA4s3-0BXDQTnC06lkVSxp_UVyRrDaAtlzvvDegtnlSTXwfmZW_vqEm3WzdA_m3rqz_JChT8N8pncK705TqqsBRTSGGCepGXpWnfNQDkzguarUOVsuyfbvwShKwAN1xUNtHpSgtCPiSh2HK-dvOlpCPQ3w1gGzal-GlEwr2MnxSThZJGdpCHXG5T3akaCyShgShGeMFQiG8dmI_D2vFPmyF4tXqhr-EZCVRkV9DahN9GdA5beZaOqI', NULL),
	('form-answer:T535XLWLQHR NErYVtIDLp9rANGG_TaRrmhNV-Q8jqjQiRyeRQnKs-E', 's1.ejEKUtPs.-cpO40Kydsqme5aGoWVlpbus9kw6YwEUL-yuAZqFQ5GvH2KywXKyguszGV9qgCQaP7Ti7XtAipg-KvTmPs6SE61GqtbpIRH59rqxNN-j_99tYo8WBLNu-q6NavaSPeRbOesqUitZwV8tyGRBBv32pLe7T6UIrtfobEMgBk9DDBAr0yeb5j-SuqtLrQ4M7CJ2bRDkPCufVOQU5LtDcQfcVsCMUHhRKKaIWG6aJyf_3poT9QmHodMh41OKVoNQqVKJP8qlsmDVaGsVuUUiKt8bZ_4vh6zDLmOKkkkaQL_a3-jbiDCJZxQU2kTt9Kg97APndZLJCFsOqBo8d8bYrjkjC_5SbVEZvKLtypNJZIyw58N0xFr-34vAq-y0X2taKMhD2Z6xnXv423cZ_pJhTyQFlhf_xzIFYLJh0sWqpsRrl1astCmzgYPH196FvrMtfygaAz63HKoU1jI4oEdAv2LIn3NYaBhWKGchG8dhqYYDTYGtVqmSQUnNCcN9VotFa3RjO6sUJfJm2uS7hidu_1byLX2LjL77MTRxLlNHxTtxgH9ZOi72Nhx2LVkFXlS19z_ZBLdYYaenTRYhALLtllxsA6SBZy_Uthtq9AZnHXx97oKQ-SZeQtZ2C2b1wpfUIkEtu8eOkh-wgsTigEm9DpgGiQNurrIMs5BH_a_YQmKSnSYIrd2jVCJFFLJV5EsPDpV2LkLypGCo5DjSXOQ6rmWagsRirwwRtV7AUDu_zKNsE_6dQ3WQkwGN56DLj0ddIjPhTTbya8xMOAOGfdwIvVKUFMgpe5khw7h2SQ8Mq_66Khr8TwsdmuAKEdICMNpYa30Ev3LdW6J_fmKMBMwV3kgkqivi4lef6beFuE9E4XQ2HVKopwDazYFecVzQ15eTQ_hKhhthoNVkYfB37kzPc4mKnxu2sNnWheNaC8McegbHP6M9Gfi1kihpv7X5ViRVxXstG7yus62crbwaZmpo95kwRJJP1w', '2126-10-22 23:31:22.639+00'),
	('form-answer:T65C80LO67B mMxzgwK3RUMKtkJJtNxiLA4HNidFCOSyro8ocONhb08', 's1.ejEKUtPs.YmHW_9lPpBxLQ5UU9bMCFzdKAosk7MZ4apVzYl8q39GcRclET93RNfYMh_n53bGJW8bw2yOeenSTkgCpHjN_ITe9-VJpZNrasPufHBMAf5IP7sPATLoEz__x44n62DiK8jKKzNDy_XY8xJetSZAKoIMdUT40j73dHh6cIjWdRTLui4ACfnx49TQ2Gy15vgIbhlLYn49yj8Hv2V67OMzMzzbXFCTYKY0MQ69MvrZRngjh9ay7bq1CCSwEIN_CN3WU2wWPRQLkdDuf5B-Y-kIQUG7YrZfXRXNiMMSTBhopkVYY-s3jRdSm-QSpdh3k7XXD_WurrVu2FjrAdwoxVq-TCftGxZOyf33gGoBKp7dg2YeBhA3lFTNJyXao8WxpdlKB4PNnnotXyNi_v8uUu0anUX-XchHWW6BI2T_PncID3JeEQCtfOC3cTQpg0mVdScIvn3BiNol-PZqLCB9bE2zFR8jH_RuzeAAsKuHfQCMsGmkn_CB1EigVl5ULPeX3f1USCoA9YBokpEWClRD9i4J8eb_E6Ay-SOEF6DUMOmi_AiDf8tQklP-AcDiGqobKjZ7OyOkRCDf8fPca8Rdps6KAWaAQdI5nYDrQc_NOVKESLMB1q8v0Vl5zs0SIOiD8BC4uhCj0TZEnO3Uz56BOJS3LkgK6h7PotU-VG25UhhM0ghe9uaM6CoJAtya5vEv4jOzvbmr9H1q0XArJm9diZuLaGI4BiPLToqlsR0Oa_NbpVoXJXdml8RkibTif58POOnZ-xqoLzlzJ06pmrEvIURi8j-1Wi1jwEqeaOmxe3l4QHpwgGbJA7373IJpZXonf0qL7wLMwtFSvyAS3t9nL7F9degQNNRY_wgLmWamEUHovoMWoGKmV6-7kEV6xEXcpY0KBaKH43mB-s51giEHXuu2hUJONQOuqDBfjh-fqpDnXT1NtR9WFlvfamG5Ax2WRoTrgRx3M0pXt-utlyCo0vDGw9dE', '2126-10-22 23:31:42.787+00'),
	('credentials:T9SLZXR74L9', 's1.ejEKUtPs.EoBG9TLP5yHKWOW9Lp6uBWbA6ZFKfqlv88kh93bfoT_0SSg-TSi_IfMijuBQmugTsLKiMydUyyg31MtyhQpMqq_D3r9QFGSbsoiYpmD8nq3GsLDWwaxUBUn_MITQFQzQQFZYVAp9oqVWh9QFZRQDHZI6QbJGyjPAPA7hBMBmre5YLgqYoyJQHcZ9yXzkuCRs5YJdPop3ok93klQ6d65wi-YigetvOp4u5A6gKKUgVqVsFzg2OqJgEIG08_Q', NULL),
	('settings:TUYA14EHO65', 's1.ejEKUtPs.KEkWTpGT7Nmw68BqS9_2PH_ik1MavBTeD4OeLjb1r1PaDdreUGqJn5r7VEp9lvHe-YDbkEFkmekwK4yfdfxAqmAHRJI9qX-eZKKXpudJHsPbwIeLIPP4OvdxLUy6s-kSpf4_49mOW2EHjfRlacklEk6Eu4wneqPfLZiUPeAnc9HIP01LrTx6sN6QGokgfTXoaDzRGvUn9M1ZnYYhs131y4-wQdaF-DTx5HX5EaNAKrngWbpkE7RuPGvOiQlR4Uw0GbqJwyrjBXJtCpF2ImFL73f3ifINpm8aKBxmtIRrUe4gN5-SXwsQxIbrYS44P_OA9wOshYCQ-FTyeao4wDDqL98AFdhZkmojGkFDL2l2klAmpIrAcCdA6szoASd2zRN3MxJb0x8d2Kr5eUjIR-VjKeCbO3ygEFbsJuJHj0XkJbMolqmKT41_7tBsR9I', NULL),
	('settings:T9SLZXR74L9', 's1.ejEKUtPs.5BXH2k49z6kWKp7uHAJHQ3jhlofIkf38wDlFHCx1u_fjVRrrLbakbGycYHXYrI69K_eiQ93ViKYaves2ebJxRIdsb_ZdmsIvmOvHvD03pwSNP0mri0xZjXANjdxFYvStvge9L_i9uEhF9JGqlv0cNY72QwT6jprdJUqHCAt47q_JvzkN8x4q77_BpZhRmP0hBh0RUpniy6SwqrkoqTFzVBTzApSfNsHAUjix1Ss3hIj9sd3RlByh_ypQtY7b5VcWk7cX7aZHeMeBtlSnSpoQw7_8dph6hWNYK01rpAe3mgMmydi4b0H7vw4YN-bRHzAMpeJ62-jBB5jlR2DI07jIZjsZGYi-hLVqfypOvigUL-hHUJnVPgS_xJ_zdXz3o2b71Un2d9WgBE5KPra0XTaIlpA_XhWYsMpViyLwp1s5PM3CM23rHYKIMYQv', NULL),
	('credentials:TJ6IVXP1ZW6', 's1.ejEKUtPs.YzjZUjFxXN7MC_kJViUJkLgZIyB3izDAq2NO1wJiKDwXkjmKZ-czL40nZM7X5PdNT7ccrJrx3t_PWlmXKXSy_oo1dnqO4dA7nf2q-tyRaMmSDzM6ra12bmOBsGOonobqaPh2I7vZ51M5KNRWUdfCuhHWMnblkakBtOjXvy9svLfj9yZXj-IUfkJX_o2muXkL7eZcP04VyLxP3XRZWM4aqToog7Xs2yh9GIvfYZ5KzUDD4iHv8ZkPEXDvzuQwbjphcJallC1VHuDvpjd_YYLYviC5qgjxiXdnSVk4JkFuAXGH9mqI_1QzZZU0I8TT_WY', NULL),
	('form-answer:T9SLZXR74L9 2DYjcgWU8ZJHUWnMSlK3C0Qglhf2Rl7wF2Gj-rRBudw', 's1.ejEKUtPs.C8K23bZQk8070hu7s3whyy2Nt5ABjJaXXcYeTBuep0CUWzpHZhZEZQBRFc3iY3HKVBjtTyct3quW8iWHhY6zMVYcYErKAASZMO_0aXKpjpY9BXgW2uwfTqO3adJUQI0ps6m9Vt71lwgfU2-8ekOLUVVZ7N5QNy6OttX_g7-vSG2_Hd_IBpjSPpmy6d0bVaeThdtgXtBzsoF7_hSf4nEXqZZVQI2ehOGP8gAZIjLnrBdShHWwM7sqQSncsveAPXZZdIgm2lWUmPL2gqGcwPnZfHb2W05zRFUX7helkti3QTOQnLztad1SIf_X37t2xnDBRipaMWRbxPrXs0O_fCkX7oI4q5UlHd4IshR3ihDp_x0P_52Y6O90Ab_LHLakublDkYPnq4isXUxVEs0425iWpEmpgrIf5qzyT9Jz_6-O83OCaf70HGKUopRzujyXzsDwMVm02L_6kektjvFOQTieTQQKgl3sASRLOO11F5pKDSgzP1js66Tb1HA4CPeVFcU7pIRaLpfmWyO849uxj5CLQ3uzwA-Eo7Dw411T33xspdrpu-pOlQGm5soYxleiK8sTzXDiTs_hmEJtrLHaBwu6p6UACDZdd7RCFovOoM6OF3OTWKQYxfAlXObHgxyjhpipMOvet6S0XbBo1KDH08J5Q7E1JJBGFEDhGq4zz9tT0yIND0gaI7ow2dhmbPc4oHpCJUzjx4K3bxZgXWT8CY6BczP6-qdYLZ3tzTDKSDSttx4YfkmlCQZyfasMKIamdWOetZg60hxSZROMWb25KkT3yZizQ8xokQqx0mqwNR0e3NRChj-okXCHI0xup6EOAM_IdEHXofn-KTJ02hV76P6kzK5wIIi4QfXJOf5sCf2smn2fYv6cvjrt46TZ3Un2Bgdo79YB-lDhJQPOwUom860H4ncXB7t7VR1-RROCH54Zl4z0akS7Mn0tRGmBNrhDOLlLijuJQwEoBzlVf7B96hxgs-iLcicd', '2126-10-22 23:31:27.962+00'),
	('csrf:BXqhdjd7trfZw5q-vKepTGEJhnsOAPZOfLxTJkBWw9Q', 's1.ejEKUtPs.XuwJpVA_kojPlRRguUSSmzvIOV6Vrq55J4lgrIbNTcaNaaY1zEOoPmQ2Gt0-8jBH3DOrGggOmO7oRU4hWlCJcVtl9kbGT4BxxczTspGmmF_RJfXf0p14yz2QnO6JQgc2ZshMQ_2hqTX8F4rAxVspEwY5l8uKTlUIrYZWNp2oAwLYIrDNN8SoqPU26DF832E', '2126-10-23 00:17:39.168+00'),
	('csrf:a6h4lwUdz4ztu5BUJio8kQUZa0y4h1hn1LUy4IoX3iI', 's1.ejEKUtPs.C6u_gMlyb_2lvRFRUsfYSp7wCguWw0ijLHT5ZYlejkqRUCfen-e0CDrl_V-BFw08Xz_8obsWWqQHWJibo0rnfhLQYq82bpPMnLOSMJidwFTlEbNefHOmFNZkOY_5T-0cPOXYPqIayTZwccz_nLZbRexd8tViMRnrOrN9P-nU_pf1q7XlUGTMMUPJj1U8Mjo', '2126-10-23 00:17:57.66+00'),
	('settings:TP7TJY6AY23', 's1.ejEKUtPs.N8xJrQtPUO-weCwLNsVMi7VoS2GhWU1I1GX53GX8GuyXyODE3bCUYkFqgfh0buSXFd9m6_rPQ-5ZrXLKEFC8t1zfiagYAIXAuLIu-a4ZAtZ90DlkkTupsJdFCtxE9Ub42LTe7dn2WO7Zot9XIgu_kVH-i5BiLpdMLRbMYLVEnDBqIWmTPteJc9UkovABivj2l6x37J4HZ3-A20WbNn-6Zq-vBYLcP7m0oY6MllQ8zmNbRAMsaUD7Ltj1BOmOrtWlCpbnazEeDQ1GKv63S2QqufUv2J5xTFESoBwaDhSa-IcDzi6M2Nvntdp2DX_Cpm_ZIOv8g-XTHGcLf3uSqOaX4I-VSCYBHiGYU24phUrv1HLNt7xLAZKtvkwPid-s9I20lJaJOrv2x55-i_ackdV6yIfzWj6CrVyR4dTJYYtsBvrwaAkM2tW8bSpw7oM', NULL),
	('credentials:TUYA14EHO65', 's1.ejEKUtPs.lz9-oz9zLn9lJa6ApMIpulJEhqUnJMo0FbSTVE4U__kFkRZDHdqaye5g13hFzKEVMyMtJSSAV7rOmIx-bZf4jPxat_4_jHAg_p0bPW23N4wZ0Hqd1mYPdGkioT-ak3KnHgxb5I3dZc2PV59L762s3pZOAkz7n6ZirJI6IWDI36J6qkBUbhVWqSKXpmfi9ITMkFGAb0CdjAIlqmZ7BVnwwiH4p-wDKFx9nZopTtRp9qPGN-qKN6SuaAj9', NULL),
	('csrf:C1tPvTZPsbXcgi8rWqZMkUujPHgy6t3Vyva0J6hkr8I', 's1.ejEKUtPs.dmY2DkGC4bWN8uob7KBriYRzXAJejrEuJpRds3no30qO9pVqhDnYSBXxxdxf6wXspExAFWdY59o4HZDCW8Kv53vuAINWiUbqN0m2KWddAgxwiqziexTSxnldK14nZLWVCv1uBikIR_bC6F8RPCk8W-XsYDgHCddb1zWdyS6x9XqrT4aBjZfTINQzgVJjQk0', '2126-10-23 00:17:42.689+00'),
	('settings:TQEN5TBUIO5', 's1.ejEKUtPs.dUlaUTImPC_MRNQrDfaM27EfniP0JJwEDF1oh85PNEV3DzVH9X3hd-cVsEhP9Ojo1IG4LqVkcVwl9Ol-JnmRbNXQbwe4U1RKfVdJCs9DNGn5Jrb3SmBs-0ysdU_4wloqtX4relMwpD0y9iLDaaIZtaePdChw-8AD-1vwfuS6XNyLAuEx2rR0sbhynQkWMd3LnomlSCXBnf3mGzlxt0r3JweSM80iCZCyAOyLFhDwbGgQA7L5ED-JYDM7Bu5IY7sT2vG2DO3Zwdqqyvw7lcCZ0woYX7UX6GlE_G-BkiRLzeO84pqknz0JD_HC8AmwXm5VhrnkMxvBkij9mjLn2xxVOTfMHV6ubx5z8hl3sbBZv_LJPEklFE03ELKZfGqpGiQ_uvor0NdZk4l-nc46VA2NZgosKJJ_3BfYk1wq2UuF983ZY1jbpMEJucKGXY0', NULL),
	('credentials:T65C80LO67B', 's1.ejEKUtPs.uNQRhhtGB638qwbOUsbW6c_hvPG2ILmmcCbhkgGU9N9aCOLU5l-d_h04eUpVAk-st8j6sK684deLZHI-QbewT_hHq7J6kQ5nE71IC2smXz4gV5uG34TuUpiBSofAmBAl-9ndraOtKQdiD8pUzY2bIH-vOOACkA89HhtqtLc_3FE79vLFTg3912ZKMgr03Tpqvh4dsdw8-TwrgBxKIG-9aSai7S1QYjepfGYMre4FzaSXJhjaih7lyw', NULL),
	('settings:TJ6IVXP1ZW6', 's1.ejEKUtPs.pBUi6r2yMAw6hDeNL_lZ-6qqs62pC8at-Ickfo8Qbh7YxZy9_f-UPSZjQCdm2OhoYsPeP0cvLN1oGOSxx5GL8aHMWMS_-zbJNqv8UFGXm4ByVV3TiK3awubwSR64mbZYQRkCuSWGTC0j_Vr6sOK_a9Sw1_OkZR75KXpLvcmROVhuUTuqY_Tg7QvApcVXqy4N0kMKbk6X14D89UGtge0HgB_iTQnUzuaMri_mSgNXU62yRN_exMGC1R3VSsiICBY34rgWCzf3ks8ZYzZREr4kpj3C913HTipNPLmcNgKHdwHVUN1zfDkuwQAdqUPMlfjaj9hMgg3xEj_ftbfkWQ3bMPKar89KIFWl4YpIWX2Rd-_xG-iYibY2tbnbt_wxu-P1IAEgdBCjp2wLQxXWFVyADuN-siKNOwAXwRYOfLAyR6xAoTNS_luwIwH1AdI', NULL),
	('settings:T535XLWLQHR', 's1.ejEKUtPs.KpD7nt8flVrs1OUSBv6PgmLZLwGrkoKQoolbK1A2tn4z6H9ttiAdjO1SCCqhJ2ahr51TFD66a6bnVW098q98iqVICMOpu1C8rMKarjZ9jbuZScjJgiEPv66TOaQLF3pFbpJqd5dt3NUncnvJjx2mWLw1duYruq4W59pZJFWEbObR7HlYSs3k__XeUB3de1ntVFK-pv-0y3FfgQiKKaNoM5l0nU7JrccjaR5-kLhAE0UWk0ThrHNTCNOhyGyiDck1nbIXrGOGFH52XzM-n7Y4NqzXzZcORX_sJWpdvOUSKU8K1F8pnXrqvlsq_zTcLWc4Gg-AS3Ot1lZ8O3e-xiKRDdrUzTaoFYUXzNN-JAXHpzQDHi__wxGNF1tOGosTu3xMTLwKj8okera4YLv-J1WhUihfD3mGHN6DdimR55-hAR4ftF19AunHUEQWUa4DVn3y4hrfl8H-JA45KeenfYf8zuaUt13EH0dxKGfsc2wUyEysiI5ieu-F6z-YZRZ96oK8qH96JjvRLj4wVwBBvC5gyb-8JUKc5r6qmzut8gYMX78BQPJekD7hFsK1BEcpoHzgx-YJpa5DlG60iPR-8EYe0G6D9LcjQgZKjHtOepvKsw', NULL),
	('connect-page:TFELH1X5T91 UrOOCQNvBv18obhADc7GdfDQsbh2ioahunSKrWFZeOE', 's1.ejEKUtPs.Z7Ov8j-TdkdblTzTEnkEjiQXFr1l0q0wP_2vrmG5Owz_o4GhVCwOeJ1O2th148KLlI7NHjM1Rpvdi7koUAuI6U3zguU1s9yxi1O0QfF7T8UbfLZAPoPxsHnBBMeGwN5UNVI8TPdY2ZTAbpYC_tm5wBaCweeIN7qooecQFlxkF0opq20fT6LZOHBybuuO5vDjbniIEP-Yuy4yVx-3B1xytTpNpvHsowHaPCBYjeyGnWwZF8WxImFbcAouUcfypYdYbAbQrg4a0yDL2zV2BIg9jSTQeMYkqNwjAr0e8m4G3ZdnTTHbRtKtFZcYH3yQXS9WgNWc01-cNTUjXTLWdbWmbGzRkhtNDU9f8Y0m1Mrf8W-39dXmontkI3Kc1g', '2126-10-22 23:26:55.842+00'),
	('csrf:Iwqkwm7_rct1tAYLpLNvVvx9mj1-N0YeCpLKHqOFNYA', 's1.ejEKUtPs.fyETk0BSJXWQEv1p1uhm1gI8daxEEHuCBYwCHbjj1cN4qG6sLQOsOjP1ghtdrethTMesItkEN49woOTn16KzGd_Trosw5MkcawTiWKkrtq7gSUnJ1T2BAO5HyzbhJRr4Wfrdjmq9qCvDYTP4wGsKTXvOc9fxBpxHEnonTE5eDj3hJDt397rZuJc5Q1dn2cw', '2126-10-23 00:17:45.97+00'),
	('credentials:TP7TJY6AY23', 's1.ejEKUtPs.yblY88ODADVGVTdL6ZQrT-f7M5GP_r7o-fyl9eu5TndQW3wK18_E3WqXwlLTtnN5kEXe7Asyd1WIQNAh4YLxWy52pJktUqRDU9G9MT6-nYdOuDE8zA8_tFjLg_6A0ovul2lRXvoPMngA1xo6lCBRYDiG5c07FFTrYJRo67-CCDfciNn76e-RZjdR0b8RfHIChB6jO1ufiw92lQEJHZbdredgEeKC9UoPeyxeoA3DUOnbXJALlp2jNo0y', NULL),
	('settings:T65C80LO67B', 's1.ejEKUtPs.HeLl36LGdgohMcKDUYVA5xs9i8j_P6jov_9gZS2zX9tk2es6N4P_KnQa0Uc-XMYZuasNbTaUpBH76-u1zMIDKZr1tL6pTyropZVvEeNC4Eop8ytELuCla_6U3lCWoU6ap0GCYYt1Z50pn6JKQp94R8ShsHTsmPG8ysZuFIj0YYYceYsA0FRea2Rl8_y2wkjQ4Qw84493YWXsuM3gGp_dpkNTqStlwh8VkCRPsDO84_H_AzGRcrQiq5pBa7ZgbOrOuYVRYcGZREAzjhss6O2wVVDgW8lN8PdI6sVApBlX-Y899LkSLOr1-E9FdKr0d2eo1t_u9FfEFwUX9S1zSsfZxCyes__d47Sjmj6AJi4UpDVOZM4kuF76HPu_Jtuf4710goC2uJSPqVmt9t2-UNr4o_ty9ZK7FBGQSPfpDtCQDskdkEkeNc0w13akYVY', NULL),
	('csrf:2aOmJH7IjX4zPmIQJR-d2MtXBELDl07UMyOmm7qSW9Q', 's1.ejEKUtPs.4JJN47Gf77v4dp9S2CyDV8TtJpJLUB775q7D2sfIYtQpyTXeQCSVSX0ewuDazKGCXaoEXhMJLD7v0MhXLdag7lXCI58UZxdMq0oUMpv7j9gH3RfTz92FOdT5LxAXjibfVo6Jejw0u7p3XqC2T0fOOXm6dlgZRqITsyyYLW4CIo2dq5DxlMKjeYzTx-KyMQ4', '2126-10-23 00:17:54.076+00'),
	('csrf:0E38ukf2FEoUjr9BkMRMqwv0Pp2VFmLukYFXlt-gpoM', 's1.ejEKUtPs.UXTyVXuBJHlJ8nIOe3NfVq2HMUJdPEw1wTpVUO7ZVMvN5nhpWsS0n65U4vAhsgczt1PSg2oFnigtolVf0hMn5cEZ1ruyNI_JSDoO-VViVkTGIZRrMi01eB5JtFS--BYGN-NfDStZOsygXKmzmCRolaqnjKpIGNdCNqBtX7tB_qzsTfRGs5buQjzu9CaGQ0o', '2126-10-23 00:17:53.777+00'),
	('credentials:TZQ7PWU07K0', 's1.ejEKUtPs.H9j13IFNrr1TWbIMt0srYy_GAOJQYCUR70DF_TkitpRKfFzSlBZmBXaKWrLNA6wdP6hCr0mPjPRL2vvKoigaMbmKkvdpRI9nlKBIoCCqc-IPGhCwwLs2OhKhhQCVG2N5Pu3qpGq77Hsqp3Zqi3KnfpM_JAmD6lU3nXq9x6PVCq8mlKsRy4qOgpvB37r85aKiVNF9hBnSV8KhL7hNnzD8PVeZ6SASsOdb8a7OYBpLCJdxSL0u8Jm9PUsAaNE', NULL),
	('csrf:xJqhcW9SkCkfHF4qmgs9oGccBzVvw-e-tsX3TIsGzNk', 's1.ejEKUtPs.kwvf-zjw9ATU2RU8hp_7heXjVirlHU4RQaWV6BrHPZ23fSGkSR3WDyUxRWDtdlufqtxRCRyQXc2AEG4SJZJL29cqPixRW2XKwDjCOhK8NgZpyH7xc2Xcf4gKjRPqBbpxYZyk1FQm4DIe5YDjOrArRknc1bZm7JYZgHb0LwoGQci3jPVEEudkvJHiNR6_SoE', '2126-10-23 00:18:08.968+00'),
	('edit-waiting:TUYA14EHO65 9b1c9ed1-f8ea-4700-b731-7fd31c3249bb', 's1.ejEKUtPs.YHsSqDMTeStS8xadcLi369ng3TEcfUevLnYxCxGq3rK407GntNMMNJNc-Oi4MTsFyc7mx4_Ysu3h6miSENH1OIND4LJPWAmNC1U8VfgX3mN9tYSne2qkNWAplnSXiH5jcxSmE8dPHYs4_FxXtn3NRXLpZfMUbTyyronWW_rF5Sly_n-7uwdHV99oD1FMcdZEuuOdCzij2CkQd4ys__nn3bKDSgg1McbZ1eOnCJZoaTzI8MZmCcDQ19kFNbEba1BzRGjTZ_yz75fNon35rkihEbHZywtIiV6Y9eEYlLhXkw_4mE14IPtS4AnIzMzoaTOROVLFmYvnjcim5ZjL8S6bDVzi1iGcGc4rzGXiV2qEoNM9JRap8h9mVUUyDBUk15c1vY4xF2Z8DQ', '2126-10-23 23:17:54.991+00'),
	('confirmation:T535XLWLQHR 9ec1ddce-df00-4f9c-a7ac-ae823680be0b', 's1.ejEKUtPs.LPQ23IC3p1Kd-24B199PUPed3jYuM_aPe19vcHi80skcUQRK7X-iNF5CpYcpuXD3lJ21U6Hw8a-MQ31hGzkvt8QbrLYVkWOtjTii8tWYIwQXLyW0Ox1hqVpryNXTIObGuppWC0UUHJFbX5lHRq_87NPFe8yUk6h82KDIV4y4O-BVvWIkRbyB1PzWSb_UObrh4qbrzmJajiQZu9qUwxDYjEfYvh97DrITz0GNi9R7DTucmZKkslFgZIZOvNpGBGO1ockqSO7EEuhHpIV3W54zn-MPTHPogVC_opkYfgprYWDwVonmX4hYnXyZQ_kBilw7OEf4Mg2KGnaRxlYDRTKCQ07cP_dnp3ZPKI4B2bPF7ScgftXVkVmQoS-D2ENOgUI19jHiqAoF9uGF3XKzjMvJyRB4qlwIZ8dNEfphFaZRdP-VCASGfJy7HVaFFAZx8YBM-M31xGiiNtECwIcE2qgvSA5USnMGJeMwkT9G_0w9sGsUJb3hV8yJ-uCp0hl96syva0PG092j3I0X58oZ2YQCMf_eypeef7tunQVl9YI_SG3grIQGfTljGzsmCO8yM7MMrvaBDinE7S6o7ICunEYMzL_eOr2jcvKzAR3_yu9fcvxnFXp4j6I3klvNLZYFXuMO2znybFcVUCTEs6mIJC3sX2maFihRfHwt8iNubhl-Mx9ARkFLEwAaqJc', '2126-10-23 00:18:00.477+00'),
	('draft:TP7TJY6AY23 UTQYU2BSMR8', 's1.ejEKUtPs.T9QGDK94O6gm2OXbASm6JilnQ_7G05Sv1a4kjF0s5VVb-i1Kaw4DO-TItoGZdOitTFOJgKy5jB1zpiH8cni8p34J2V4Y45s0-YCRIbWBMorLlTfkN_RmorL7Afg0dQfvZshuyq5P8N6Pcb-MoSviPsRC9lSvrmSozaQk', '2126-11-21 23:17:42.646+00'),
	('edit-ended:TUYA14EHO65 ba64d2b9-51f1-4399-8afb-bb8fef7510c2', 's1.ejEKUtPs.HoTLag-fIz78RzrlhUVleT0bU-6c2t1Cn_PKwA3KFe2hlEQWUr13nBXV5eOPTze7Rc9qMIy9apdP3TIjtxbGGtSJhmsoMc3wRc3Vv-GH2BY5hrM4jeLSFpBIQmZXIZwMABxYYO3RACIcmrih-uC56JT5cJeEChNtUqbxEibB2-65vAbgdtDjdJCIimtkX20bHrCjh9Rv7QYTmFGkjC5dhmyl7_cc-Zx0Ju4VcmDuJ5J04NEEuBcDpE5LRuN2bAIZGYq4grX6vDt5y6oEtYmKIumuAyKRlxh_do-SYvinI3wdXcpSj1bi-KSdPYUAWd7qXoXqB3uO6uhkGlTa-LIMZjRttHtv_rxp3G-vk5Vhra2I61VI65UyDm7SOxRhAok_34AXa3jYVSD3VUJWTZHhnhewUA', '2126-10-23 23:17:54.422+00'),
	('edit-waiting:TUYA14EHO65 ba64d2b9-51f1-4399-8afb-bb8fef7510c2', 's1.ejEKUtPs.ba0wJDwH4vMvZSb5h4BqaQQs99hCeG2z3JlhZt25eeekBHMgOat-XStl8_moGYUHJxDUcnsCMN_jOAIIYJeMaoQwI87tjjY-gFU-B33l7NOZOSnevFwU1-z1E0GELlhi0VzfCh4F_we0zQHzObs2Sp69kITFSlpK01D9Fhu_TerLU38TMoxap2a68bTuvc-H1nxmNuiUOBHtFLss63eqM2NnqBJMxVLPHCSZK4dBQ438rcMAjtUuIJGU5JuLWg-SfT7GtJaxTzKFmbg7w87BBa4LpYCUrDOyxjjFHynVBTZXenXUZyxRKQ2iFv3dxDpI8STpQVBGB5zjuh4EqxA', '2126-10-23 23:17:51.499+00'),
	('draft:T535XLWLQHR UM1D3PEO4IT', 's1.ejEKUtPs.rTLp7Dcxi1HvLmPCqTbeku77e70dJz3yIAssnF8yGd8HGu7T93I5CVRhN9PwRNrq358QiTP3XauxWR7vbQvN_ob7Nox5YecBe6m-UPAIaCAbo6trM5hTok8GGMyWawZzj7nKiBxufAmhQySRH4bAwVMd_z0pQAS2k5B6VQPO7egHGhZmvkKV7NPYgQxQ_KmtVB1P7Q7KB-ryJmHg2VnGQ-illgiZ9n6WVTIA_dKFFav7ASc0aj218fM9AF6SrstGu7G8KDJI_VemblbS9F3Lzr8vVRjHW2KmeKatz2NWr5JTwZwIhIxMtM67htgp0MBtxoJIlKfkWzAnl22LS4CFoVGBRLRWLuUQNZVENKqq1A5Apg', '2126-11-21 23:18:00.213+00'),
	('confirmation:T535XLWLQHR 4694954b-779d-4d04-80d3-7d20b6a8cd1f', 's1.ejEKUtPs.jVmzb1Wf7-RDO2EwgkcjD2AJ9fCh5CR9vgFYCusllQ0fDfQYMN3w3-zkbEZE3ZJJJcJ0fPTm1_md3x2eHDBKndhbPrHXm716RVECjAFSVdJIZ_xuc_G2EWPnRsQiMkqRdmjTCVMHP4AsHjz7f89ARj6VWZlGAFRTVjDm_DJ9dqhxZcl8C3S2PQX2RSo1aopsekhZAbb8nIkfvccnuPneKEBkfDefpuwOgeqD3vaJPPTkBgo_vEbT-hia7NjQTo7VxG4DaXg5obJfLoKTV-v6x-J9RfLMN6_t-EHMYN9EbykNQAjvRQGvGHC6ptfxGABSLwp1diNVMST0yGg3gv1dNvX9L6NV15G0dB3S1xYEj4IJlavWuO8XYFdoLeVi7r0dC5yQZUljXa3QqOR_XxwrQCsXuzBs6RpbMs4AYyn1elDGQ1S67G25RckcFHqSRhSjVb1cwIbiOSuGwnxZksqpihWJE1L6Px5RO-GvNtJaJxfldSvDtz-8gDaJygDWAXWM58owLg1U8FVkkGpR19PUafk9V6aGcq39OKh-Y_tyGnDvwvNsWqn5zC5VvFDycQFEqIOSVP7t', '2126-10-23 00:18:01.325+00'),
	('download-link:TZQ7PWU07K0 _lHhyU538_HZ9EJLSGiPAfbzzo80-1Ck4LjR4oBRm9Q', 's1.ejEKUtPs.b6p1uIASzydO69q6ajCgfwQJs5dnaIuqFBIbq7Y2BmuJGs5jEgq7rqWoCn2nAxRckaR34N0X-UhzhlC-VlFnGVuAVXNrAGi5N_lctR-Qxx9KnUgwz7Y0La5ZT_U7nDcC280UHVLrVBfs6_SNY1Y7Iz6bKtopXcQ9hl6BW5aq_cRIPaXLu3tW2THwz_1jIe0cV_coSLbbstC9DP-zSrw', '2126-10-22 23:27:21.097+00'),
	('draft:T535XLWLQHR UBKAADRX2YS', 's1.ejEKUtPs.iLMI-SgX6Vh6lOrRqPOOGfPGLSXPyW8juAed8xT869y5hVdQTfcinMospWUmcCPWFsikvj5RF5b4HmxY9BO5ENPhZuLZxcsSKBHyM96F7y5wsJuNbAZMM_eOGKHup7oqTOPHt2VzeNyQRLt7Ly3Gmp5gfbbQ94aPnJSvUVjw2PG_VqGZswcfsGDAk2KxeM129JoXfSFAPnuscx-uJ2mr1M70dUh_uKgQp7PIdcz2TpOSuWSduHN3TGhmaDRZasHmSibpzFw6yLON_coi3u9X-7MqqO4o1GebR-tAUnpNGeQjU3auz__n-5PL5G7D6N9Hye4Ilz2spCRRbVlLliOyxrAO_Z_JLA', '2126-11-21 23:18:01.262+00');
INSERT INTO dropline.keyv VALUES
	('request-shown:T535XLWLQHR b74f66aa-3115-4008-bf10-aab624e9eb1e', 's1.ejEKUtPs.stncm6rhsRVfxD1Nbp0B8jajw0WyH4FxZyUZIRx76FhoNJ2cGqdf0GGURu9xJfkoORlkc8QG2TRh0dC5irXEmt2HISUg5iXHj9wfweQnlxBqxF5U4N4fqtnI2sQvmaVRDoNY6glJuH07MQPf5S-PXRTUVW2hyremzfYb2DLW3rKvLZyHYWZMvIC1swofqt84iJsF8Ilqcg4gFvJ2do7dhNhM1wiMNBydi3ASDzZUkGnCmGw_OOSrzHqGve5BzuIMEDkcntzYpHZRF9qCFR3Ou903fA', '2126-10-23 00:17:47.798+00'),
	('welcomed:T535XLWLQHR UM1D3PEO4IT', 's1.ejEKUtPs.HDudNjAbIAYylTl2oOryTq7bg5ssrBDeVf8vMLn1FtT8UzDxeWIMkMJ2d_urwsgjOqWSnIXFLi3gB-YdpMz5Mwja', '2136-10-19 23:17:57.475+00'),
	('contact-import:T535XLWLQHR 355ec6aa-6022-4757-a510-8bc14e58e161', 's1.ejEKUtPs.tTa-F-3Mx81LFSckfHv7xtB8ruJFOG6GDdOpjfGyW35Oj6aXHCXe9ujqCnf7Igo7m054n8jftXN_MAKBHXdIyEYuOoYft-FdQggKe083P_UnseeejGlNV9Ubd0vFOPCWU_zRR1UNrb4J-toh2RxO7jAKEl8wGanKH_hQrj4Qy6cpnS0ifE1lkWN5KNQM8hUz6iV9J8RI', '2126-10-23 00:17:51.294+00'),
	('edit-ended:TUYA14EHO65 9b1c9ed1-f8ea-4700-b731-7fd31c3249bb', 's1.ejEKUtPs.zdy0aw4bc2ddUPLBInuNOlDjHn3P96eqZyxPYI6rhWnYPswGwL7PPz7Fs7eBtJD-lt7ec4b0JBmN7NjWRIGFIgW0HM8e4nm-1ULw0E509CxsVLXnugvh5RQJ2Sd8UpUR1tve8Lx9NeEyn2zZA5Z8_MUetAAOxfEoxbVw2g', '2126-10-23 23:17:55.29+00'),
	('draft:TZQ7PWU07K0 U2LQ1U4XY57', 's1.ejEKUtPs.SYStp3asJ0oNK_nyPPeQhyeksrMATp7Pbvq-u1d3rlPClwavlN74gJS8de8PpsCZBaWEEeKyxGZcx6QUGIou3B3Hpgc5PO53aVPZ1nI4_RN1C2hiUaObVQ0opgT7TuEMlIl-llCn7x5EwoX7tBjn_j9_h1Q7KuY8Cid7', '2126-11-21 23:17:39.729+00'),
	('welcomed:T535XLWLQHR UBKAADRX2YS', 's1.ejEKUtPs.3ZEPPdyIRw9PRFWFTa9cj3SXq0frVlbQWpTFE5K2748rrXVNT9lO3YjdLaZqq9QY1qaW25Bu9ln7SGFIAlMKbtm2', '2136-10-19 23:18:04.155+00'),
	('welcomed:TUYA14EHO65 U3T2A0HWY0G', 's1.ejEKUtPs.ki-MzeokV6R2JNk_YeGo5MJh6N8b074AjmJGroxNhb75CmGEoI_hMYnqew3t1ySz5y2pd4OZ2JFpHJgtzhsmxZHM', '2136-10-19 23:18:04.223+00'),
	('welcomed:TFELH1X5T91 UGDFHS27WTF', 's1.ejEKUtPs.K9IW0FVafOO3doFe1elUqO32ziS66R7BBsTnCcqS-p-y-KZeAWVFyk2PE_vBf_s6oP5S6Cw2wj-uhPp8onatHbrv', '2136-10-19 23:18:04.255+00'),
	('welcomed:TZQ7PWU07K0 U2LQ1U4XY57', 's1.ejEKUtPs.0CqonKVgB94IlSDeneWzYaYZowbXDtNbv2PfhZZU7mJovSe-LbO_LsW0YTQeJq2XEDmkXo8svqg38rMRtYGOC46j', '2136-10-19 23:18:04.306+00'),
	('draft:TUYA14EHO65 U3T2A0HWY0G', 's1.ejEKUtPs.rKyqtGlY_nUGTNiLCeyKJVh_2G1rRlvzJ-k4cvDW4tsshyj_9wnaQUs5UsHykh3Nyt_oRPVXFPJ0gbCvVa8fuv34DKYMB_vn8Ko9JmEIsfv_oxcwPZPUOA9Sk870e08hAetp0f_nAKBQ6c_qNbgctrfprRH0m2S51btu', '2126-11-21 23:18:06.707+00'),
	('inbox-trouble:T9SLZXR74L9 CPR6X9UGMBC', 's1.ejEKUtPs.KzFHBeTN2NHtkcAdhWkMKkl0mvFzaxGMflCt9KfNk4CcGHX_f1CxcYusTlZzhzH6-KwG27HitCQd8khkNv8dfQY0Wxo0Rf8AaZ6zRjyXUB2p_44Ypizm', '2127-01-20 23:18:10.167+00'),
	('draft:T65C80LO67B UDMYABNLIVO', 's1.ejEKUtPs.Q0WgVy8YvRK3qjW-admkKZYSnC7vUfzAX-a-6ICPweS25Z47yIGYDmBniqMUWMshYVFmJF3HOb3qEb5IsZ_PC7nlvbE3bvrLJxouaP4cqJL7Jy-uCrvpWKKngAAmXBdm8Xx3Gbeqi0YuBIs8gIHPjea-bTIFK13xN0hb', '2126-11-21 23:18:22.479+00'),
	('welcomed:T535XLWLQHR UC0DQDSYFT3', 's1.ejEKUtPs.09zjvsI8KlosB8AqK9-3_F_JFF3XpQcb1S39LgJxek6SAvVnPH_6s_7dbvDU_mGWuI7OahrY2AzWqRyI3u6-0SzZ', '2136-10-19 23:18:28.333+00'),
	('draft:T535XLWLQHR UC0DQDSYFT3', 's1.ejEKUtPs.1NWG9EF2IaWPzSuaK5gi3q5xQ63UMfTPLuZT_Dn_Nue6DAk50zbhFGISfB5OsVe3j6QkD-HRPFxnHnIrGPFyWQn0c6wEcYTLyzLpfSDn3U5vmNZkcf4K037_Uze946CoQoUlLXbW2hxnLmtz5FoJS9uU1jRVebFeW0177yzV12FUo3MfsM_kNAU', '2126-11-21 23:18:28.468+00'),
	('draft:TQEN5TBUIO5 U2AXPR7EMWL', 's1.ejEKUtPs.Rax83mjM_deBecmn1bL7PPyhPF9IK4Qa386GBZzoARAYa0uhvIpK7ALG2AvGBBhJIhylJEUjRedcTxR4ig5mdZnin-MZOPghMjHLeNZkspPv7clhK8eSNBuUg948p5tgcIFlPZkqYwB0g-Y4eIrOW9BvA9jfaRDIDWNQ', '2126-11-21 23:18:19.746+00'),
	('draft:T9SLZXR74L9 UFERBLS02V0', 's1.ejEKUtPs.NjyCotbrZ1sCKUfeZq4xGWXbLYg9yD5KDaek_nsC3eA2s9gF-qNH3O0Py_ozLlGk8jHPqn8BIYbIof6JAgdgPmwAQ2L9P0L-ooo85-8-obwX8ONuVsRph3f3kcmUgs3JqQmaJhWO_RtY76lFOahAHKTJhRXoxUet_ylXUjqkKUjNTIeE91HXSwIhwF2uQ5jk25v3gimhvQ', '2126-11-21 23:18:16.367+00'),
	('tray-batch:T535XLWLQHR UC0DQDSYFT3%20DQPE0AE6LKL', 's1.ejEKUtPs.BlNQdsN0TeNXlIGoX7zDxsXjxIlB_9-XGQWzUPIq-nEp9QqOlYk9wVdVM-WnQ3Iwn3NBo3Qn6MpQHnsU2T99Ex9QAnAZLjunNlEHANM', '2126-10-23 00:18:28.476+00'),
	('download:T535XLWLQHR b2b939813c0cd05e37aa5806eacf323a', 's1.ejEKUtPs.34deaZIdcGPBMJUDnLmkJN-u1O754iGymK0IQl86Memeqx7eD_XLW1whzIBPEQZts0g-VWi7JINBK3Kvt6PpnZg4_4ri7-rNkZD226iqq5IEMZDwP19_dpISK4TjjvJq-n0TeICtJ7TlKthrWM_Tpl_Kio4AnS8qU8na8mE6jOMO46rUyw7k1W_-xXSehiA1f2MDdNKf2O9OVcf9wLu_8jQ6yxdZnp3DbH6LXPjAiH8Ok_vnnczdX27URVoLcg', '2126-10-23 23:18:26.013+00'),
	('edit-waiting:TQEN5TBUIO5 cce13e46-d1c6-4878-b0cf-1dc230a89848', 's1.ejEKUtPs.Y4mXjn7u-e2t0VbNaug1lSxXMuf3wHzq8PRy-xXlYjU9IOZsylNrOVSyj1J78d2svFNl8Xeipyk5Exx1Y3NgMpHk_DqFVZDzpAtUZeXMyGs9byVH3d4QhBlcgEsMs13bvFwxFoHuxosIxDCf8wUHIeK0XmLmQYmd1kzunJvpO7fDaDKck9KDn8_j5JD8IZK_DNZ2UbFTtYrARGJbmSXqopUqo5VRVUlz0NvP_lEyxYwyoipaPObCtuBeghjn9biGpeB9Kp-rxjrFsvfN7PiGumPcQ3QO56QCXHqYGon_oJ8b9vDtfyknH0vom8qESuRxkIJ3l0G-XuxCNCOGas2y', '2126-10-23 23:18:23.039+00'),
	('contact-edit:TQEN5TBUIO5 cce13e46-d1c6-4878-b0cf-1dc230a89848', 's1.ejEKUtPs.BbrVFqWre7imfDBPNet1rCpE3-gXzYng2i3w0DdwE0y8gFhL56mO3JaY3H2fGhGlKeteJTvTuiPdlFro37R-AGdDGsVJ91xVgERGeEuyvxk9Tk7IjR5jbebaaE4BnB4PJCjSzcC8ZzOt2fbUVroOmnISsqlQMDyoM0qi7bSMIDn61KmPm2UoS31juAblV34wX0Ja0Ojv6VoaGeHOKXRjTA_1GMpjzq5eAfdo5oAO_yRD-uzwNL8J0gN3WtGq0Pg', '2126-10-29 23:18:23.069+00'),
	('edit-waiting:TP7TJY6AY23 b247b430-a6f0-46ce-bb16-cdd434c7a332', 's1.ejEKUtPs.9Yep-sJLQc0mOFAehjvFcwsHR25dUZQB7zapaLkTuLwTCnwgEQiSXzAfqX_cvhAFQ_EVpEK1dgRNbPZdsjfnd-euORhdLpHQW1rJmdJ1PIAOvozir0PTIKJapTP48K2QUxsf7VopiRGMRhLCpOPRRC2Sth8gNKP_Bo42p9hpiPQiVttEtRR2fszR0_2-brb6crYob2yAjmCNAtEnOX3HchmQrgLVgxdBNlt_1rXEMDb5ZiVBOv5EQe2q2bG4UiDtY9oF8qcWT5xdyxoIkBR8Mx_kiqEnBlordxf7utlEw5_Ftwcgh8H8l_L72wqGiTzXThlAvwWSfkinUQmu54GX', '2126-10-23 23:18:23.206+00'),
	('contact-edit:TP7TJY6AY23 b247b430-a6f0-46ce-bb16-cdd434c7a332', 's1.ejEKUtPs.iFv3DjQ8efD7oajWPRln_eNEF3HAp_tSYkvCDD7SLhWxD6x9uzR9dn3GODiUKMV2WUVYdDl3_tmaU-Lb-DG_GVY7Z26nMyG-hU4fQA1079NQKnKiW2Fey-CalPpKoHGEDTM-YlSiB2i7bjmy2rm96p0pK2GZHRV6IF10oWpH8hMySEe7Vy14FBqRuZ4fQXGjQTSmsVFaY1Ap4jpQMoTN_37El0Z05kz5uRFISaCenfWUdbsKbvqU9AlyrfhMGco', '2126-10-29 23:18:23.212+00'),
	('download:T535XLWLQHR ee195a86bc529195e7a1bf6afe5956ff', 's1.ejEKUtPs.Wlfl4NGhFiZBfHednbZZwhO_K9heGqRhtNiB0yokrE3Ot3sEXvQ0Q9Wx5RF74nX41mlRHCz2ffqUljulhcC56zP2OKeG-WKa1Wneg9zMKXsxVzzy-wwTMBgHRKoNX4PdieEgdgzcJPEI-I0UIhFXbB9tfoIy8n3QTXcyv8aRRFUlF8FhfanFALMbBY1GJlDThqldCWUXKdM5KUaxo0q0soCnEgWnZNfPAexeGYv5F7Qnj4-YvbuL188fV8czEQ', '2126-10-23 23:18:25.572+00'),
	('tray-batch:T535XLWLQHR UC0DQDSYFT3%20CC1GF4W80W0', 's1.ejEKUtPs.MB2W-rVE1Z0iZbRkKTK_73rEHSpqcoE6nSRq96jQl4-tD4spDIkRzkyW9GYaLDKrgqqh8twMUVk2vtBMtk4wqgRv3O5fbWq6yu4_0dI', '2126-10-23 00:18:28.505+00'),
	('edit-waiting:T65C80LO67B ffe50756-9f82-4782-9de9-19efea28db52', 's1.ejEKUtPs.070Pm6ufYQXh5WF9PocrfGcqSeRTGUrcBEIOu0xOrLBLong1VoF8Bvuj2z8gNnUP2S1q0ZGOLQox4DyGhTVtFjfnVJVZ6CUnWZo5R9NMkRuniE0NoLhYkmRVJhg9CfCBcgS1XlnNzhwe_dgqLCzZv6x2RHmjeZrEnyFGzLBwJpr8N1zH4H41jyP3-7uWDV15mMFJrFKlLJOM9NJPMUciR3tn9zs1V5Y96ff17K9FKhZyGVQohFPVo4A_4MDiZnI427jCY2A0g8GrB3OcWw7e8nbjY2Csfrm9BJ9M0OAuSssxtggViD1KGDm379vodN6KLa9E2LfgfSKxeTo5KREv', '2126-10-23 23:18:23.464+00'),
	('contact-edit:T65C80LO67B ffe50756-9f82-4782-9de9-19efea28db52', 's1.ejEKUtPs.ez5Av_Ds8tnv0uuBcV7zYqgqV_eo51GvCFW1EteIL1oO5efd6cfv8kvAJOe1eDQIU2dj1j0PCzP7pSv1gE68qZGQQQFj1HxB2zWPQmio8d_I_-lQxxxZn-x4v8G9Hq9NF59sG_9Ofis8jT3mMQ3cBw30BUNgAHdn-OC3yK1lJGip-EgVmTB2bB8re6dZz3BE0jWKbTeKLqQnuMMec26jf5TjLj4hVZvurCH1Bx2bhGm2Nfa41JqZcJfIU2p9ME8', '2126-10-29 23:18:23.526+00'),
	('connect-trial:TFELH1X5T91 f7d2b05f-efaa-4648-bf66-8115df0664ba', 's1.ejEKUtPs.sApcC_1DBr6K5pFBDbcXyGb6jLeCPFVw-rzEur_3pPWsqQaWwU5djtMxshela593ffwRcBEBeEOX7ZOK3XBUAPgmgiFNYPpU08EXrC-MA9j1OfdPC_qtk-FzaQwBQ_ZwHCsBUadqjq01RfGFkYEn0R0vyzHp6QH-xKqAm7w8Th1_chTo4p3OGLI4S-Iz9nVd9E_e74BtNqa7uF5KboW81_IabHt5H6VAreffCzGFH-vKFl52Jgh_HDROiSoEex0Xz4SA2UqYs0sKhF32TfEBCuaZnPoy1_zeAHMUJNTtwOEbMKZiao9u31PbiICaacE6w1BtAAse4Q77', '2126-10-22 23:23:24.635+00');

INSERT INTO dropline.migrations VALUES
	(1, 'keyv', '2026-11-15 23:15:25.779919+00'),
	(2, 'ledgers', '2026-11-15 23:15:25.779919+00'),
	(3, 'operations', '2026-11-15 23:15:25.779919+00');

INSERT INTO dropline.polls VALUES
	('TUYA14EHO65', '2026-11-15 23:17:55.546979+00', NULL, 0, 'http://files.example.test/juno@example.com', 'o6IkKoLGIifVpQl2dxA7GBOaqbtBsrJm7EojvQurhzA', '2026-11-15 23:17:55.844325+00', '2026-11-15 23:17:55.287326+00', 'credentials-refused', '2026-11-15 23:17:55.844325+00'),
	('T9SLZXR74L9', '2026-11-15 23:18:30.726706+00', NULL, 0, 'http://files.example.test/birch@example.com', 'orL8o6FD1TWqM7IILREpJsdXozG1xrGgFh3HlzbQ9SQ', '2026-11-15 23:18:30.515408+00', '2026-11-15 23:18:30.515408+00', NULL, NULL),
	('T65C80LO67B', '2026-11-15 23:18:30.70101+00', NULL, 0, 'http://files.example.test/elm@example.com', 'o6IkKoLGIifVpQl2dxA7GBOaqbtBsrJm7EojvQurhzA', '2026-11-15 23:18:30.477841+00', '2026-11-15 23:18:30.477841+00', NULL, NULL),
	('TP7TJY6AY23', '2026-11-15 23:18:30.774675+00', NULL, 0, 'http://files.example.test/dune@example.com', 'o6IkKoLGIifVpQl2dxA7GBOaqbtBsrJm7EojvQurhzA', '2026-11-15 23:18:30.51454+00', '2026-11-15 23:18:30.51454+00', NULL, NULL),
	('TQEN5TBUIO5', '2026-11-15 23:18:30.842854+00', NULL, 0, 'http://files.example.test/cedar@example.com', 'o6IkKoLGIifVpQl2dxA7GBOaqbtBsrJm7EojvQurhzA', '2026-11-15 23:18:30.560403+00', '2026-11-15 23:18:30.560403+00', NULL, NULL),
	('T535XLWLQHR', '2026-11-15 23:18:30.781652+00', NULL, 0, 'http://files.example.test/acme@example.com', 'Gzq7VRZSflkFmd4op3Ad2Sj1ZGKb7Ga_TwV_5lKMRpE', '2026-11-15 23:18:30.56794+00', '2026-11-15 23:18:30.56794+00', NULL, NULL),
	('TJ6IVXP1ZW6', '2026-11-15 23:18:24.222224+00', NULL, 0, 'http://files.example.test/fir@example.com', 'o6IkKoLGIifVpQl2dxA7GBOaqbtBsrJm7EojvQurhzA', '2026-11-15 23:18:24.337794+00', '2026-11-15 23:18:24.024767+00', 'not-connected', '2026-11-15 23:18:24.337794+00'),
	('TZQ7PWU07K0', '2026-11-15 23:18:30.617027+00', NULL, 0, 'http://files.example.test/grove@example.com', 'jVW4EmEDTPFjp7LvFS42rEWyocLl69I6Wr3f6TE-aVw', '2026-11-15 23:18:30.347001+00', '2026-11-15 23:18:30.347001+00', NULL, NULL);

INSERT INTO dropline.uploads VALUES
	('40422682-68c8-46ac-9ba7-8b27bf093a17', 'T535XLWLQHR', 'http://files.example.test/acme@example.com', 's1.ejEKUtPs.Am_kZTm1U4_nj0eYQdNjALU2pBA7gJGExM-Sof6GywWRQVGHoyk', '2026-11-15 23:17:28.164201+00'),
	('e86a911d-7a43-4fe9-ab04-235f956c435c', 'T535XLWLQHR', 'http://files.example.test/acme@example.com', 's1.ejEKUtPs.WwE3bgU1cE9-zgRBZZs8mHBoGTCKn-xsmP9PuYjChO12oc3K_rzb', '2026-11-15 23:17:36.137358+00'),
	('fe336602-4242-43c1-a79e-e2c4de3a5de6', 'TP7TJY6AY23', 'http://files.example.test/dune@example.com', 's1.ejEKUtPs.oiMtUTTEElxkbWiHtJPKa-fP0UE8l9uKUJtLlQDUvMw6Vv8MLdK7p08', '2026-11-15 23:17:42.963482+00'),
	('99122a7f-18ac-4a57-8ebd-6ea58b66841d', 'TUYA14EHO65', 'http://files.example.test/juno@example.com', 's1.ejEKUtPs.zI-OeyOyKgGnw-eVxWh9L0s88b6bNC7UzeSuuIDjqUPfaWqhIv8', '2026-11-15 23:18:07.307761+00'),
	('1a819b5e-4b63-48d1-b308-31f9dbcc636e', 'T9SLZXR74L9', 'http://files.example.test/birch@example.com', 's1.ejEKUtPs.qtoXBocTgIWiwRMEMv8AFkAx41p0Q1-t7z4sFDK0-fgX7Fijrf8Pd5TzDg', '2026-11-15 23:18:12.700864+00'),
	('b14f3cf9-77d1-4907-8059-1959d4c46ce5', 'TQEN5TBUIO5', 'http://files.example.test/cedar@example.com', 's1.ejEKUtPs.1ATC8n7EGuqSRZhZBwunAk1zOlW2OWgAvV6iSyzvoBvF2rPB8oM', '2026-11-15 23:18:20.318606+00'),
	('8b6c8f2a-1a19-406c-935a-420b0002ef82', 'T65C80LO67B', 'http://files.example.test/elm@example.com', 's1.ejEKUtPs.R-VR4YnTsHVx80DVgN15gB3chNL7JmHAA_qkPqGiNAjiuPeUlrmcnQ', '2026-11-15 23:18:22.68392+00'),
	('0323824a-dafe-4b52-bbf3-f078c13b2957', 'T65C80LO67B', 'http://files.example.test/elm@example.com', 's1.ejEKUtPs.Tg-dfmDgzh7qe21-TP1BERYh48n_1uBQSnC_N8Erh6Ks92zy3NmF7g', '2026-11-15 23:18:22.800658+00');

INSERT INTO graphile_worker._private_job_queues OVERRIDING SYSTEM VALUE VALUES
	(1, 'announce:T535XLWLQHR', '2026-11-15 23:18:24.871981+00', 'pool-1c8ff344b0a8316a25', DEFAULT),
	(3, 'announce:TQEN5TBUIO5', NULL, NULL, DEFAULT),
	(4, 'announce:TP7TJY6AY23', NULL, NULL, DEFAULT),
	(5, 'announce:T65C80LO67B', NULL, NULL, DEFAULT),
	(6, 'announce:TJ6IVXP1ZW6', NULL, NULL, DEFAULT),
	(7, 'announce:TUYA14EHO65', NULL, NULL, DEFAULT),
	(8, 'announce:TZQ7PWU07K0', NULL, NULL, DEFAULT),
	(16, 'outgoing:_uf25fEi57JJ5e1jg6dhrU4Pyf6lsUuzKWmPkbFPGnw', NULL, NULL, DEFAULT),
	(18, 'outgoing:xJqhcW9SkCkfHF4qmgs9oGccBzVvw-e-tsX3TIsGzNk', NULL, NULL, DEFAULT),
	(19, 'outgoing:Iwqkwm7_rct1tAYLpLNvVvx9mj1-N0YeCpLKHqOFNYA', NULL, NULL, DEFAULT),
	(23, 'contacts:0E38ukf2FEoUjr9BkMRMqwv0Pp2VFmLukYFXlt-gpoM', NULL, NULL, DEFAULT),
	(25, 'outgoing:0E38ukf2FEoUjr9BkMRMqwv0Pp2VFmLukYFXlt-gpoM', NULL, NULL, DEFAULT),
	(20, 'outgoing:BXqhdjd7trfZw5q-vKepTGEJhnsOAPZOfLxTJkBWw9Q', '2026-11-15 23:18:12.1207+00', 'pool-9be421fcf9a278e8a7', DEFAULT),
	(2, 'announce:T9SLZXR74L9', NULL, NULL, DEFAULT),
	(37, 'outgoing:C1tPvTZPsbXcgi8rWqZMkUujPHgy6t3Vyva0J6hkr8I', '2026-11-15 23:18:19.616277+00', 'pool-9be421fcf9a278e8a7', DEFAULT),
	(38, 'outgoing:2aOmJH7IjX4zPmIQJR-d2MtXBELDl07UMyOmm7qSW9Q', '2026-11-15 23:18:22.352179+00', 'pool-9be421fcf9a278e8a7', DEFAULT),
	(39, 'contacts:C1tPvTZPsbXcgi8rWqZMkUujPHgy6t3Vyva0J6hkr8I', '2026-11-15 23:18:23.103051+00', 'pool-1c8ff344b0a8316a25', DEFAULT),
	(29, 'contacts:Iwqkwm7_rct1tAYLpLNvVvx9mj1-N0YeCpLKHqOFNYA', '2026-11-15 23:18:23.219957+00', 'pool-1c8ff344b0a8316a25', DEFAULT),
	(41, 'contacts:2aOmJH7IjX4zPmIQJR-d2MtXBELDl07UMyOmm7qSW9Q', '2026-11-15 23:18:23.558384+00', 'pool-1c8ff344b0a8316a25', DEFAULT),
	(42, 'outgoing:a6h4lwUdz4ztu5BUJio8kQUZa0y4h1hn1LUy4IoX3iI', '2026-11-15 23:18:24.196931+00', 'pool-9be421fcf9a278e8a7', DEFAULT);

INSERT INTO graphile_worker._private_jobs OVERRIDING SYSTEM VALUE VALUES
	(37, NULL, 5, '{"run":"7859c178-300e-4df5-b067-fd479a619b2f","ids":{"transfer":"8cd81982-c037-41fe-986a-ab4b44727623","turn":"0"}}', 0, '2026-11-16 00:18:09.609+00', 0, 1001, NULL, '2026-11-15 23:18:09.612403+00', '2026-11-15 23:18:09.612403+00', 'late-look 8cd81982-c037-41fe-986a-ab4b44727623', NULL, NULL, 0, NULL, DEFAULT),
	(40, 3, 8, '{"run":"d2c9fe56-9573-413c-960f-2c6b135f8815","ids":{"workspace":"TQEN5TBUIO5","what":"baseline"}}', 0, '2026-11-16 00:18:10.352399+00', 0, 25, NULL, '2026-11-15 23:18:10.352399+00', '2026-11-15 23:18:10.352399+00', NULL, NULL, NULL, 0, NULL, DEFAULT),
	(41, NULL, 13, '{"run":"c5d0061a-fa5f-4a72-8465-f1d4d2fd463b","ids":{}}', 0, '2026-11-16 00:18:10.375963+00', 0, 25, NULL, '2026-11-15 23:18:10.375963+00', '2026-11-15 23:18:10.375963+00', NULL, NULL, NULL, 0, NULL, DEFAULT),
	(42, 29, 2, '{"run":"cf31f884-cfc9-4920-a64b-004347e09e3c","ids":{"workspace":"TP7TJY6AY23"}}', 0, '2026-11-15 23:18:40.411+00', 0, 1001, NULL, '2026-11-15 23:18:10.418752+00', '2026-11-15 23:18:10.418752+00', 'contacts-settle TP7TJY6AY23', NULL, NULL, 0, NULL, DEFAULT),
	(43, 20, 4, '{"run":"2fb44d07-2792-4f10-845f-4686dfffce27","ids":{"transfer":"b3aa0baf-5328-4a0d-8bdc-9d12b57f4e1f"}}', 0, '2026-11-15 23:18:12.086487+00', 1, 1008, NULL, '2026-11-15 23:18:12.086487+00', '2026-11-15 23:18:12.086487+00', 'dispatch b3aa0baf-5328-4a0d-8bdc-9d12b57f4e1f', '2026-11-15 23:18:12.1207+00', 'pool-9be421fcf9a278e8a7', 0, NULL, DEFAULT),
	(39, 2, 8, '{"run":"53e515bd-2f33-4dfc-93b7-5eac87a18d32","ids":{"workspace":"T9SLZXR74L9","what":"news"}}', 0, '2026-11-16 00:18:14.021+00', 0, 1050, NULL, '2026-11-15 23:18:10.232377+00', '2026-11-15 23:18:14.022608+00', 'announce news later T9SLZXR74L9', NULL, NULL, 1, NULL, DEFAULT),
	(46, 20, 4, '{"run":"9588a669-7201-412c-b159-f6d22e3ca9ef","ids":{"transfer":"0b11ad2f-2cbe-450f-803f-c44c55337ff0"}}', 0, '2026-11-15 23:18:14.621019+00', 0, 1008, NULL, '2026-11-15 23:18:14.621019+00', '2026-11-15 23:18:14.621019+00', 'dispatch 0b11ad2f-2cbe-450f-803f-c44c55337ff0', NULL, NULL, 0, NULL, DEFAULT),
	(47, 20, 4, '{"run":"1704df02-be83-4e8d-b8f6-4e78f81c130e","ids":{"transfer":"708c54d2-7570-4b3f-ac41-7d603ad5ec49"}}', 0, '2026-11-15 23:18:16.297117+00', 0, 1008, NULL, '2026-11-15 23:18:16.297117+00', '2026-11-15 23:18:16.297117+00', 'dispatch 708c54d2-7570-4b3f-ac41-7d603ad5ec49', NULL, NULL, 0, NULL, DEFAULT),
	(48, 20, 3, '{"run":"caa1e897-3d29-47a6-a283-c9b84e1ae750","ids":{"transfer":"6eea2bad-40e1-4c5e-a3dd-f870acada0c9"}}', 0, '2026-11-15 23:18:17.445956+00', 0, 1008, NULL, '2026-11-15 23:18:17.445956+00', '2026-11-15 23:18:17.445956+00', 'grant 6eea2bad-40e1-4c5e-a3dd-f870acada0c9', NULL, NULL, 0, NULL, DEFAULT),
	(49, 20, 3, '{"run":"b42a3dd7-ba97-4962-9836-4228b72c1ae0","ids":{"transfer":"d14db7c6-adb0-4ca8-b91d-59a799445b05"}}', 0, '2026-11-15 23:18:18.30104+00', 0, 1008, NULL, '2026-11-15 23:18:18.30104+00', '2026-11-15 23:18:18.30104+00', 'grant d14db7c6-adb0-4ca8-b91d-59a799445b05', NULL, NULL, 0, NULL, DEFAULT),
	(50, 37, 4, '{"run":"320e87a4-967c-4e1a-88ed-c117bafb74a9","ids":{"transfer":"ea3b409c-15db-4560-902b-9178d08fb47d"}}', 0, '2026-11-15 23:18:19.532988+00', 1, 1008, NULL, '2026-11-15 23:18:19.532988+00', '2026-11-15 23:18:19.532988+00', 'dispatch ea3b409c-15db-4560-902b-9178d08fb47d', '2026-11-15 23:18:19.616277+00', 'pool-9be421fcf9a278e8a7', 0, NULL, DEFAULT),
	(51, 38, 4, '{"run":"4ef48dd0-6219-4536-ab42-67fafba07994","ids":{"transfer":"1635e28e-0c0b-4e4c-8a95-7fe8f7e0e044"}}', 0, '2026-11-15 23:18:22.315162+00', 1, 1008, NULL, '2026-11-15 23:18:22.315162+00', '2026-11-15 23:18:22.315162+00', 'dispatch 1635e28e-0c0b-4e4c-8a95-7fe8f7e0e044', '2026-11-15 23:18:22.352179+00', 'pool-9be421fcf9a278e8a7', 0, NULL, DEFAULT),
	(52, 39, 7, '{"run":"17d5c00e-713d-4aff-8a7c-ba7c9fc20065","ids":{"workspace":"TQEN5TBUIO5","edit":"cce13e46-d1c6-4878-b0cf-1dc230a89848"}}', 0, '2026-11-15 23:18:23.086613+00', 1, 1005, NULL, '2026-11-15 23:18:23.086613+00', '2026-11-15 23:18:23.086613+00', 'contacts-edit cce13e46-d1c6-4878-b0cf-1dc230a89848', '2026-11-15 23:18:23.103051+00', 'pool-1c8ff344b0a8316a25', 0, NULL, DEFAULT),
	(53, 29, 7, '{"run":"5c1b6189-2573-435a-b513-9fa2392468cb","ids":{"workspace":"TP7TJY6AY23","edit":"b247b430-a6f0-46ce-bb16-cdd434c7a332"}}', 0, '2026-11-15 23:18:23.213416+00', 1, 1005, NULL, '2026-11-15 23:18:23.213416+00', '2026-11-15 23:18:23.213416+00', 'contacts-edit b247b430-a6f0-46ce-bb16-cdd434c7a332', '2026-11-15 23:18:23.219957+00', 'pool-1c8ff344b0a8316a25', 0, NULL, DEFAULT),
	(54, 41, 7, '{"run":"88108d9a-88ea-49bc-9eb2-aeb34681a815","ids":{"workspace":"T65C80LO67B","edit":"ffe50756-9f82-4782-9de9-19efea28db52"}}', 0, '2026-11-15 23:18:23.542672+00', 1, 1005, NULL, '2026-11-15 23:18:23.542672+00', '2026-11-15 23:18:23.542672+00', 'contacts-edit ffe50756-9f82-4782-9de9-19efea28db52', '2026-11-15 23:18:23.558384+00', 'pool-1c8ff344b0a8316a25', 0, NULL, DEFAULT),
	(55, 42, 1, '{"run":"5bec96aa-fdf3-4b77-98fd-a0ec4dc0c7fb","ids":{"workspace":"TJ6IVXP1ZW6","how":"disconnect"}}', 0, '2026-11-15 23:18:24.176704+00', 1, 1006, NULL, '2026-11-15 23:18:24.176704+00', '2026-11-15 23:18:24.176704+00', 'leave TJ6IVXP1ZW6', '2026-11-15 23:18:24.196931+00', 'pool-9be421fcf9a278e8a7', 0, NULL, DEFAULT),
	(56, NULL, 9, '{"run":"9e845883-03f3-444c-87b8-50561da92e08","ids":{"workspace":"TFELH1X5T91","trial":"f7d2b05f-efaa-4648-bf66-8115df0664ba"}}', 0, '2026-11-15 23:19:09.65+00', 0, 1003, NULL, '2026-11-15 23:18:24.651189+00', '2026-11-15 23:18:24.651189+00', NULL, NULL, NULL, 0, NULL, DEFAULT),
	(57, 1, 8, '{"run":"34118a41-f40b-4643-89e9-31a598b6859c","ids":{"workspace":"T535XLWLQHR","what":"news"}}', 0, '2026-11-15 23:18:24.834856+00', 1050, 1050, NULL, '2026-11-15 23:18:24.834856+00', '2026-11-15 23:18:25.196072+00', NULL, '2026-11-15 23:18:24.871981+00', 'pool-1c8ff344b0a8316a25', 0, NULL, DEFAULT),
	(59, NULL, 6, '{"run":"79292929-a6a9-4f6c-9835-c24a92ec1f68","ids":{"workspace":"T535XLWLQHR","order":"ee195a86bc529195e7a1bf6afe5956ff"}}', 0, '2026-11-15 23:18:25.575611+00', 1, 1006, NULL, '2026-11-15 23:18:25.575611+00', '2026-11-15 23:18:25.575611+00', 'download T535XLWLQHR ee195a86bc529195e7a1bf6afe5956ff', '2026-11-15 23:18:25.602697+00', 'pool-9be421fcf9a278e8a7', 0, NULL, DEFAULT),
	(60, NULL, 6, '{"run":"0bd37886-de3b-451c-8e09-212b46cbe88a","ids":{"workspace":"T535XLWLQHR","order":"b2b939813c0cd05e37aa5806eacf323a"}}', 0, '2026-11-15 23:18:26.023588+00', 1, 1006, NULL, '2026-11-15 23:18:26.023588+00', '2026-11-15 23:18:26.023588+00', 'download T535XLWLQHR b2b939813c0cd05e37aa5806eacf323a', '2026-11-15 23:18:26.055913+00', 'pool-9be421fcf9a278e8a7', 0, NULL, DEFAULT),
	(58, 1, 8, '{"run":"5bbdabe4-b4f8-4f4f-8100-43e71900dcc4","ids":{"workspace":"T535XLWLQHR","what":"news"}}', 0, '2026-11-15 23:18:26.453402+00', 0, 1050, NULL, '2026-11-15 23:18:25.196072+00', '2026-11-15 23:18:26.453402+00', 'announce news T535XLWLQHR', NULL, NULL, 1, NULL, DEFAULT),
	(62, NULL, 11, '{"run":"395cf197-f79e-4ad6-b270-b30e307c54c4","ids":{"workspace":"T535XLWLQHR","person":"UBKAADRX2YS"}}', 0, '2026-11-15 23:18:27.363251+00', 1, 1003, NULL, '2026-11-15 23:18:27.363251+00', '2026-11-15 23:18:27.363251+00', 'contacts-export T535XLWLQHR UBKAADRX2YS', '2026-11-15 23:18:27.414483+00', 'pool-1c8ff344b0a8316a25', 0, NULL, DEFAULT),
	(63, NULL, 12, '{"run":"c3546de0-9484-44d7-83d0-3f8e73b5517f","ids":{"workspace":"T535XLWLQHR","person":"UBKAADRX2YS"}}', 0, '2026-11-15 23:18:28.151095+00', 1, 1003, NULL, '2026-11-15 23:18:28.151095+00', '2026-11-15 23:18:28.151095+00', 'audit-export T535XLWLQHR UBKAADRX2YS', '2026-11-15 23:18:28.169865+00', 'pool-1c8ff344b0a8316a25', 0, NULL, DEFAULT),
	(64, NULL, 10, '{"run":"f4c9ab85-2191-4b48-96a1-d62ba2514516","ids":{"workspace":"T535XLWLQHR","person":"UC0DQDSYFT3","channel":"DQPE0AE6LKL"}}', 0, '2026-11-16 00:18:28.5+00', 0, 1003, NULL, '2026-11-15 23:18:28.500709+00', '2026-11-15 23:18:28.500709+00', 'tray T535XLWLQHR UC0DQDSYFT3 DQPE0AE6LKL', NULL, NULL, 0, NULL, DEFAULT),
	(65, NULL, 10, '{"run":"ae930a7e-f7ca-44ba-9549-4582f6566efc","ids":{"workspace":"T535XLWLQHR","person":"UC0DQDSYFT3","channel":"CC1GF4W80W0"}}', 0, '2026-11-16 00:18:28.528+00', 0, 1003, NULL, '2026-11-15 23:18:28.528716+00', '2026-11-15 23:18:28.528716+00', 'tray T535XLWLQHR UC0DQDSYFT3 CC1GF4W80W0', NULL, NULL, 0, NULL, DEFAULT);

INSERT INTO graphile_worker._private_tasks OVERRIDING SYSTEM VALUE VALUES
	(1, 'leave'),
	(2, 'contacts-settle'),
	(3, 'grant'),
	(4, 'dispatch'),
	(5, 'late-look'),
	(6, 'download'),
	(7, 'contacts-edit'),
	(8, 'announce'),
	(9, 'connect'),
	(10, 'tray-told'),
	(11, 'contacts-export'),
	(12, 'audit-export'),
	(13, 'sweep');

INSERT INTO graphile_worker.migrations VALUES
	(1, '2026-11-15 23:15:26.465444+00', true),
	(2, '2026-11-15 23:15:26.550051+00', false),
	(3, '2026-11-15 23:15:26.59899+00', true),
	(4, '2026-11-15 23:15:26.629651+00', false),
	(5, '2026-11-15 23:15:26.66873+00', false),
	(6, '2026-11-15 23:15:26.699563+00', false),
	(7, '2026-11-15 23:15:26.728587+00', false),
	(8, '2026-11-15 23:15:26.765173+00', false),
	(9, '2026-11-15 23:15:26.81995+00', false),
	(10, '2026-11-15 23:15:26.850078+00', false),
	(11, '2026-11-15 23:15:26.892621+00', true),
	(12, '2026-11-15 23:15:27.195959+00', false),
	(13, '2026-11-15 23:15:27.236556+00', true),
	(14, '2026-11-15 23:15:27.254304+00', true),
	(15, '2026-11-15 23:15:27.294793+00', false),
	(16, '2026-11-15 23:15:27.348541+00', true),
	(17, '2026-11-15 23:15:27.399925+00', false),
	(18, '2026-11-15 23:15:27.450033+00', false),
	(19, '2026-11-15 23:15:27.481351+00', true);

SELECT pg_catalog.setval('dropline.audit_number_seq', 58, true);

SELECT pg_catalog.setval('graphile_worker.job_queues_id_seq', 45, true);

SELECT pg_catalog.setval('graphile_worker.jobs_id_seq1', 65, true);

SELECT pg_catalog.setval('graphile_worker.tasks_id_seq', 78, true);

ALTER TABLE ONLY dropline.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY dropline.checkpoints
    ADD CONSTRAINT checkpoints_pkey PRIMARY KEY (run, step);

ALTER TABLE ONLY dropline.contact_images
    ADD CONSTRAINT contact_images_pkey PRIMARY KEY (id);

ALTER TABLE ONLY dropline.dispatches
    ADD CONSTRAINT dispatches_pkey PRIMARY KEY (id);

ALTER TABLE ONLY dropline.holds
    ADD CONSTRAINT holds_pkey PRIMARY KEY (account);

ALTER TABLE ONLY dropline.inbox_items
    ADD CONSTRAINT inbox_items_pkey PRIMARY KEY (workspace, account, url);

ALTER TABLE ONLY dropline.keyv
    ADD CONSTRAINT keyv_pkey PRIMARY KEY (key);

ALTER TABLE ONLY dropline.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (number);

ALTER TABLE ONLY dropline.polls
    ADD CONSTRAINT polls_pkey PRIMARY KEY (workspace);

ALTER TABLE ONLY dropline.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (id);

ALTER TABLE ONLY graphile_worker._private_job_queues
    ADD CONSTRAINT job_queues_pkey1 PRIMARY KEY (id);

ALTER TABLE ONLY graphile_worker._private_job_queues
    ADD CONSTRAINT job_queues_queue_name_key UNIQUE (queue_name);

ALTER TABLE ONLY graphile_worker._private_jobs
    ADD CONSTRAINT jobs_key_key1 UNIQUE (key);

ALTER TABLE ONLY graphile_worker._private_jobs
    ADD CONSTRAINT jobs_pkey1 PRIMARY KEY (id);

ALTER TABLE ONLY graphile_worker._private_known_crontabs
    ADD CONSTRAINT known_crontabs_pkey PRIMARY KEY (identifier);

ALTER TABLE ONLY graphile_worker.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY graphile_worker._private_tasks
    ADD CONSTRAINT tasks_identifier_key UNIQUE (identifier);

ALTER TABLE ONLY graphile_worker._private_tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (id);

CREATE INDEX audit_by_person ON dropline.audit USING btree (workspace, person, number DESC);

CREATE INDEX audit_newest ON dropline.audit USING btree (workspace, number DESC);

CREATE INDEX contact_images_newest ON dropline.contact_images USING btree (workspace, created_at DESC);

CREATE INDEX contact_images_of_edit ON dropline.contact_images USING btree (edit);

CREATE INDEX contact_images_open ON dropline.contact_images USING btree (account) WHERE (settled_at IS NULL);

CREATE INDEX dispatches_newest ON dropline.dispatches USING btree (workspace, created_at DESC);

CREATE INDEX dispatches_of_person ON dropline.dispatches USING btree (workspace, person, created_at DESC);

CREATE INDEX dispatches_open ON dropline.dispatches USING btree (account) WHERE (ended_at IS NULL);

CREATE INDEX dispatches_unseen ON dropline.dispatches USING btree (account) WHERE ((committed_at IS NOT NULL) AND (entry_mark IS NULL));

CREATE INDEX inbox_items_changed ON dropline.inbox_items USING btree (workspace) WHERE (changed_at IS NOT NULL);

CREATE INDEX inbox_items_waiting ON dropline.inbox_items USING btree (workspace) WHERE (announced_at IS NULL);

CREATE INDEX keyv_expires_at ON dropline.keyv USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX polls_due ON dropline.polls USING btree (next_at) WHERE (paused_at IS NULL);

CREATE INDEX uploads_of_account ON dropline.uploads USING btree (account);

CREATE INDEX jobs_main_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id, job_queue_id) WHERE (is_available = true);

CREATE INDEX jobs_no_queue_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id) WHERE ((is_available = true) AND (job_queue_id IS NULL));

ALTER TABLE graphile_worker._private_job_queues ENABLE ROW LEVEL SECURITY;

ALTER TABLE graphile_worker._private_jobs ENABLE ROW LEVEL SECURITY;

ALTER TABLE graphile_worker._private_known_crontabs ENABLE ROW LEVEL SECURITY;

ALTER TABLE graphile_worker._private_tasks ENABLE ROW LEVEL SECURITY;
