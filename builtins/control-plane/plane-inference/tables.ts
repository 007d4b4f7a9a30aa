// Defines the tables of the wallet, and the SQL functions that change them. Only these functions may change the tables; each is one statement, so one round
// trip.
import type { Migration } from 'agent-harness/builtins/control-plane/plane-database';

/**
 * The wallet's row contains the used and the reserved amounts. Only functions that write the ledger entry or the reservation in the same transaction change it;
 * `inference_audit` compares both. Rows refer to each other without foreign keys, because nothing else writes to these tables. Lock order: hold, wallet,
 * member.
 */
const ledger = `
create table inference_wallet (
  org_id text primary key,
  cap_micro bigint not null check (cap_micro >= 0),
  period text not null check (period in ('month', 'none')),
  time_zone text not null default 'UTC',
  period_start timestamptz not null default date_trunc('month', now()),
  period_end timestamptz,
  used_micro bigint not null default 0 check (used_micro >= 0),
  held_micro bigint not null default 0 check (held_micro >= 0),
  warned int not null default 0
);
create table inference_member_cap (
  org_id text not null references inference_wallet, user_id text not null,
  cap_micro bigint not null check (cap_micro >= 0),
  used_micro bigint not null default 0 check (used_micro >= 0),
  held_micro bigint not null default 0 check (held_micro >= 0),
  primary key (org_id, user_id)
);
create table inference_price (
  id bigint generated always as identity primary key,
  model text not null, valid_from timestamptz not null, price jsonb not null, made_at timestamptz not null default now(),
  unique (model, valid_from)
);
create table inference_hold (
  id text primary key,
  org_id text not null, user_id text not null,
  request_id text not null,
  kind text not null, model text not null, purpose text not null, price_id bigint not null,
  amount_micro bigint not null check (amount_micro >= 0),
  estimate_micro bigint not null check (estimate_micro >= 0),
  made_at timestamptz not null default clock_timestamp(), sent_at timestamptz, expires_at timestamptz not null,
  state text not null default 'held' check (state in ('held', 'settled', 'voided')), ended_at timestamptz
);
create index inference_hold_open on inference_hold (expires_at) where state = 'held';
create table inference_entry (
  id bigint generated always as identity primary key,
  hold_id text not null unique,
  org_id text not null, user_id text not null, request_id text not null,
  kind text not null, model text not null, purpose text not null, price_id bigint not null,
  held_micro bigint not null, amount_micro bigint not null check (amount_micro >= 0),
  uncovered_micro bigint not null default 0 check (uncovered_micro >= 0),
  input_tokens bigint, cached_tokens bigint, output_tokens bigint, units bigint,
  basis text not null check (basis in ('usage', 'cost', 'estimate')),
  outcome text not null check (outcome in ('complete', 'cut', 'left', 'expired')),
  period_start timestamptz not null, at timestamptz not null default clock_timestamp()
);
create index inference_entry_of_org on inference_entry (org_id, id);
create index inference_entry_of_member on inference_entry (org_id, user_id, id);

create function inference_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the ledger are never changed or deleted' using errcode = '23001';
end $$;
create trigger inference_entry_is_final before update or delete on inference_entry for each row execute function inference_is_final();
create trigger inference_entry_stays before truncate on inference_entry for each statement execute function inference_is_final();

create function inference_month(zone text, after interval) returns timestamptz language sql stable as $$
  select (date_trunc('month', clock_timestamp() at time zone zone) + after) at time zone zone
$$;

/* Locks the wallet, and begins its next period if the last one is over. */
create function inference_lock(org text) returns inference_wallet language plpgsql as $$
declare w inference_wallet;
begin
  select * into w from inference_wallet where org_id = org for update;
  if w.period_end <= clock_timestamp() then
    update inference_wallet set used_micro = 0, warned = 0,
      period_start = inference_month(time_zone, '0'), period_end = inference_month(time_zone, '1 month') where org_id = org returning * into w;
    update inference_member_cap set used_micro = 0 where org_id = org;
  end if;
  return w;
end $$;

create function inference_reserve(
  p_hold text, p_org text, p_user text, p_request text, p_kind text, p_model text, p_purpose text, p_price bigint,
  p_minimum bigint, p_wanted bigint, p_estimate bigint, p_ms bigint,
  out granted bigint, out cap bigint, out used bigint, out held bigint, out ends timestamptz, out whose text
) language plpgsql as $$
declare w inference_wallet; m inference_member_cap;
begin
  /* A hold ends by itself, so losing it with the database's last second costs nothing. */
  perform set_config('synchronous_commit', 'off', true);
  w := inference_lock(p_org);
  whose := 'organisation'; cap := coalesce(w.cap_micro, 0); used := coalesce(w.used_micro, 0); held := coalesce(w.held_micro, 0); ends := w.period_end;
  if w.org_id is null then return; end if;
  select * into m from inference_member_cap where org_id = p_org and user_id = p_user for update;
  if m.cap_micro - m.used_micro - m.held_micro < w.cap_micro - w.used_micro - w.held_micro then
    whose := 'member'; cap := m.cap_micro; used := m.used_micro; held := m.held_micro;
  end if;
  if cap - used - held < p_minimum then return; end if;
  granted := least(p_wanted, cap - used - held);
  update inference_wallet set held_micro = held_micro + granted where org_id = p_org;
  if m.org_id is not null then update inference_member_cap set held_micro = held_micro + granted where org_id = p_org and user_id = p_user; end if;
  insert into inference_hold (id, org_id, user_id, request_id, kind, model, purpose, price_id, amount_micro, estimate_micro, expires_at)
    values (p_hold, p_org, p_user, p_request, p_kind, p_model, p_purpose, p_price, granted, least(p_estimate, granted),
      clock_timestamp() + p_ms * interval '1 millisecond');
  held := held + granted;
end $$;

create function inference_release(h inference_hold, p_state text, p_amount bigint, out w inference_wallet) language plpgsql as $$
begin
  update inference_hold set state = p_state, ended_at = clock_timestamp() where id = h.id;
  update inference_member_cap set held_micro = held_micro - h.amount_micro, used_micro = used_micro + p_amount where org_id = h.org_id and user_id = h.user_id;
  update inference_wallet set held_micro = held_micro - h.amount_micro, used_micro = used_micro + p_amount,
    warned = case when (used_micro + p_amount) * 100 >= cap_micro * 95 then 95 when (used_micro + p_amount) * 100 >= cap_micro * 80 then 80 else 0 end
    where org_id = h.org_id returning * into w;
end $$;

/* Once for each hold: a second call answers what the first one wrote. Beyond what was held it takes only what is free, and notes the rest. */
create function inference_settle(
  p_hold text, p_amount bigint, p_input bigint, p_cached bigint, p_output bigint, p_units bigint, p_basis text, p_outcome text,
  out is_first boolean, out amount bigint, out uncovered bigint, out org text, out warned int, out warned_before int
) language plpgsql as $$
declare h inference_hold; w inference_wallet; m inference_member_cap; room bigint;
begin
  /* The wallet's row is locked until the commit, which must not wait for the disk: the caller flushes after it, for many entries at once. */
  perform set_config('synchronous_commit', 'off', true);
  is_first := false;
  select * into h from inference_hold where id = p_hold for update;
  org := h.org_id;
  if h.state is distinct from 'held' then
    select amount_micro, uncovered_micro into amount, uncovered from inference_entry where hold_id = p_hold;
    return;
  end if;
  w := inference_lock(h.org_id);
  warned_before := w.warned;
  room := w.cap_micro - w.used_micro - w.held_micro + h.amount_micro;
  select * into m from inference_member_cap where org_id = h.org_id and user_id = h.user_id for update;
  if m.org_id is not null then room := least(room, m.cap_micro - m.used_micro - m.held_micro + h.amount_micro); end if;
  is_first := true;
  amount := least(p_amount, greatest(room, h.amount_micro));
  uncovered := p_amount - amount;
  insert into inference_entry (hold_id, org_id, user_id, request_id, kind, model, purpose, price_id, held_micro, amount_micro, uncovered_micro,
      input_tokens, cached_tokens, output_tokens, units, basis, outcome, period_start)
    values (h.id, h.org_id, h.user_id, h.request_id, h.kind, h.model, h.purpose, h.price_id, h.amount_micro, amount, uncovered,
      p_input, p_cached, p_output, p_units, p_basis, p_outcome, w.period_start);
  warned := (inference_release(h, 'settled', amount)).warned;
end $$;

create function inference_void(p_hold text, out is_first boolean, out org text) language plpgsql as $$
declare h inference_hold;
begin
  perform set_config('synchronous_commit', 'off', true);
  select * into h from inference_hold where id = p_hold for update;
  org := h.org_id; is_first := coalesce(h.state = 'held', false);
  if is_first then
    perform inference_lock(h.org_id);
    perform inference_release(h, 'voided', 0);
  end if;
end $$;

/* Returns one expired hold, or no row. */
create function inference_sweep(out hold text, out state text) language plpgsql as $$
declare h inference_hold;
begin
  select * into h from inference_hold i where i.state = 'held' and i.expires_at <= clock_timestamp() order by i.expires_at limit 1 for update skip locked;
  hold := h.id;
  if h.id is null then return; end if;
  if h.sent_at is null then state := 'voided'; perform inference_void(h.id);
  else state := 'settled'; perform inference_settle(h.id, h.estimate_micro, null, null, null, null, 'estimate', 'expired'); end if;
end $$;

/* Returns the sums of entries and holds beside those of the wallets; no row if they agree. */
create view inference_audit as
  select w.org_id, w.used_micro, e.used as entries_micro, w.held_micro, h.held as holds_micro
  from inference_wallet w
  cross join lateral (select coalesce(sum(amount_micro), 0)::bigint as used from inference_entry i
    where i.org_id = w.org_id and i.period_start = w.period_start) e
  cross join lateral (select coalesce(sum(amount_micro), 0)::bigint as held from inference_hold i where i.org_id = w.org_id and i.state = 'held') h
  where w.used_micro <> e.used or w.held_micro <> h.held;
`;

/** Session tokens of services, so that services do not send their license with each call. */
const sessions = `
create table inference_session (
  token_hash text primary key, org_id text not null, user_id text not null, credential text not null,
  made_at timestamptz not null default now(), expires_at timestamptz not null
);
create index inference_session_of_credential on inference_session (credential);
`;

/** A cap of zero does not count as nearly used up. The indexes find unpaid amounts and old ended reservations without reading all entries. */
const lookedAfter = `
create index inference_hold_ended on inference_hold (ended_at) where state <> 'held';
create index inference_entry_uncovered on inference_entry (at) where uncovered_micro > 0;
create or replace function inference_release(h inference_hold, p_state text, p_amount bigint, out w inference_wallet) language plpgsql as $$
begin
  update inference_hold set state = p_state, ended_at = clock_timestamp() where id = h.id;
  update inference_member_cap set held_micro = held_micro - h.amount_micro, used_micro = used_micro + p_amount where org_id = h.org_id and user_id = h.user_id;
  update inference_wallet set held_micro = held_micro - h.amount_micro, used_micro = used_micro + p_amount,
    warned = case when cap_micro = 0 then 0 when (used_micro + p_amount) * 100 >= cap_micro * 95 then 95
      when (used_micro + p_amount) * 100 >= cap_micro * 80 then 80 else 0 end
    where org_id = h.org_id returning * into w;
end $$;
`;

export const tables: readonly Migration[] = [
  { number: 1, name: 'ledger', sql: ledger },
  { number: 2, name: 'sessions', sql: sessions },
  { number: 3, name: 'looked-after', sql: lookedAfter },
];
