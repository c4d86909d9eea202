-- The copy of every table's log. A table speaks through `hello` and `append` alone; both know it by
-- its role, so that it can only speak for itself. What a log says is checked before it is stored:
-- every hash is computed again, and a log that is shorter than this copy, or different from it,
-- raises an alarm that stops its table's shipping until somebody answers for it.

CREATE SCHEMA room;

CREATE TABLE room.upgrade (
  number int PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE FUNCTION room.schema_number() RETURNS int
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC SELECT coalesce(max(number), 0) FROM room.upgrade; END;

CREATE TABLE room.source (
  name text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('table', 'office')),
  role text COLLATE "C" NOT NULL UNIQUE,
  enrolled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  first_key text
);
COMMENT ON COLUMN room.source.first_key IS
  'The public key with which its first journal begins. Nobody can bring another history later.';

CREATE TABLE room.enrollment (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source text COLLATE "C" NOT NULL REFERENCES room.source,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  signed_by text NOT NULL,
  reason text NOT NULL
);

-- One journal of a source. A history that replaces another one after an alarm is a further
-- generation of its day; the earlier one stays.
CREATE TABLE room.journal (
  source text COLLATE "C" NOT NULL REFERENCES room.source,
  day text COLLATE "C" NOT NULL,
  generation int NOT NULL DEFAULT 1,
  seq bigint NOT NULL,
  head bytea NOT NULL,
  previous bytea NOT NULL,
  began_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  moved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  replaced_by bigint REFERENCES room.enrollment,
  PRIMARY KEY (source, day, generation)
);
CREATE UNIQUE INDEX journal_now ON room.journal (source, day) WHERE replaced_by IS NULL;

CREATE TABLE room.event (
  source text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  generation int NOT NULL,
  seq bigint NOT NULL,
  hand bigint,
  at_us bigint NOT NULL,
  mono_us bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  actor text NOT NULL,
  body text NOT NULL,
  hash bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (day, source, generation, seq)
) PARTITION BY RANGE (day);

-- What was refused at a table. No hash covers it, there or here.
CREATE TABLE room.refusal (
  source text COLLATE "C" NOT NULL REFERENCES room.source,
  day text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  after_seq bigint NOT NULL,
  at_us bigint NOT NULL,
  hand bigint,
  code text NOT NULL,
  message text NOT NULL,
  rule text NOT NULL,
  from_document text NOT NULL,
  PRIMARY KEY (source, day, id)
);

-- A row stays for ever. Only the columns about its answer are ever filled in.
CREATE TABLE room.alarm (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source text COLLATE "C" NOT NULL REFERENCES room.source,
  day text NOT NULL,
  generation int NOT NULL,
  what text NOT NULL CHECK (what IN ('rolled_back', 'forked', 'broken', 'unlinked', 'foreign', 'unsound')),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  room_seq bigint NOT NULL,
  room_head bytea NOT NULL,
  table_seq bigint NOT NULL,
  table_head bytea,
  answered_by bigint REFERENCES room.enrollment
);
CREATE INDEX alarm_open ON room.alarm (source) WHERE answered_by IS NULL;

CREATE TABLE room.heartbeat (
  source text COLLATE "C" PRIMARY KEY REFERENCES room.source,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  beat jsonb NOT NULL
);

-- What a witness on another machine has verified and signed; the newest for each journal, because it
-- stands for all events before it. The witness keeps a record of its own.
CREATE TABLE room.cosignature (
  source text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  generation int NOT NULL,
  key text NOT NULL,
  seq bigint NOT NULL,
  head bytea NOT NULL,
  at_us bigint NOT NULL,
  signature text NOT NULL,
  PRIMARY KEY (source, day, generation, key),
  FOREIGN KEY (source, day, generation) REFERENCES room.journal
);

-- Rows are only ever added. Whoever owns the database can drop these triggers: that is what the
-- witness, on another machine, is for.
CREATE FUNCTION room.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON room.event
  FOR EACH ROW EXECUTE FUNCTION room.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON room.event
  FOR EACH STATEMENT EXECUTE FUNCTION room.refuse_change();
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON room.enrollment
  FOR EACH ROW EXECUTE FUNCTION room.refuse_change();
CREATE TRIGGER no_delete BEFORE DELETE ON room.alarm
  FOR EACH ROW EXECUTE FUNCTION room.refuse_change();
CREATE TRIGGER no_delete BEFORE DELETE ON room.journal
  FOR EACH ROW EXECUTE FUNCTION room.refuse_change();

CREATE FUNCTION room.me() RETURNS text LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found text;
BEGIN
  SELECT name INTO found FROM room.source WHERE role = session_user;
  IF found IS NULL THEN
    RAISE EXCEPTION 'the role % is not enrolled', session_user USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN found;
END $$;

-- The hash of a row after the head `previous`, as journal/chain.py computes it.
CREATE FUNCTION room.link(
  previous bytea, seq bigint, hand bigint, at_us bigint, mono_us bigint,
  kind text, actor text, body text
) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256(
  '\x6f6d6168612d7461626c65206a6f75726e616c203100'::bytea || previous
  || int8send(seq) || int8send(coalesce(hand, -1)) || int8send(at_us) || int8send(mono_us)
  || int8send(octet_length(kind)) || convert_to(kind, 'UTF8')
  || int8send(octet_length(actor)) || convert_to(actor, 'UTF8')
  || int8send(octet_length(body)) || convert_to(body, 'UTF8')
);

CREATE FUNCTION room.in_alarm(of_source text) RETURNS boolean LANGUAGE sql STABLE
RETURN EXISTS (
  SELECT FROM room.alarm
  WHERE source = of_source AND answered_by IS NULL AND what IN ('rolled_back', 'forked', 'broken')
);

CREATE FUNCTION room.raise_alarm(
  of_source text, of_day text, of_generation int, kind text,
  room_seq bigint, room_head bytea, table_seq bigint, table_head bytea
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  -- The same finding again is the same alarm: a shipper that asks every minute must not fill the
  -- table.
  IF NOT EXISTS (
    SELECT FROM room.alarm a
    WHERE a.source = of_source AND a.day = of_day AND a.what = kind AND a.answered_by IS NULL
  ) THEN
    INSERT INTO room.alarm (source, day, generation, what, room_seq, room_head, table_seq, table_head)
    VALUES (of_source, of_day, of_generation, kind, room_seq, room_head, table_seq, table_head);
    PERFORM pg_notify('room', of_source);
  END IF;
  RETURN kind;
END $$;

-- What the room has of the asking source: where its shipper goes on from.
CREATE FUNCTION room.heads() RETURNS TABLE (day text, seq bigint, head bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT j.day, j.seq, j.head FROM room.journal j
  WHERE j.source = room.me() AND j.replaced_by IS NULL ORDER BY j.day;
END;

-- A source says how long its journal of a day is, and its hash at the room's head. 'ok', 'new',
-- 'alarmed', or an alarm.
CREATE FUNCTION room.hello(of_day text, last_seq bigint, hash_at_your_head bytea)
RETURNS TABLE (answer text, seq bigint, head bytea) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  who constant text := room.me();
  now_at room.journal;
BEGIN
  SELECT * INTO now_at FROM room.journal j
    WHERE j.source = who AND j.day = of_day AND j.replaced_by IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    answer := CASE WHEN room.in_alarm(who) THEN 'alarmed' ELSE 'new' END;
    seq := 0;
  ELSIF last_seq < now_at.seq THEN
    answer := room.raise_alarm(who, of_day, now_at.generation, 'rolled_back',
      now_at.seq, now_at.head, last_seq, hash_at_your_head);
  ELSIF hash_at_your_head IS DISTINCT FROM now_at.head THEN
    answer := room.raise_alarm(who, of_day, now_at.generation, 'forked',
      now_at.seq, now_at.head, last_seq, hash_at_your_head);
  ELSE
    answer := CASE WHEN room.in_alarm(who) THEN 'alarmed' ELSE 'ok' END;
  END IF;
  IF now_at.seq IS NOT NULL THEN
    seq := now_at.seq;
    head := now_at.head;
  END IF;
  RETURN NEXT;
END $$;

CREATE FUNCTION room.make_partition(of_day text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first constant text := rtrim(of_day, 'bcdefghijklmnopqrstuvwxyz');
  child constant text := 'event_' || replace(first, '-', '_');
BEGIN
  IF to_regclass('room.' || child) IS NOT NULL THEN
    RETURN;
  END IF;
  -- Two tables may begin a day at the same moment.
  PERFORM pg_advisory_xact_lock(hashtext('room.make_partition'));
  IF to_regclass('room.' || child) IS NOT NULL THEN
    RETURN;
  END IF;
  -- Attached, not created as a partition: that would wait for every open reader of the room.
  EXECUTE format('CREATE TABLE room.%I (LIKE room.event INCLUDING DEFAULTS)', child);
  EXECUTE format(
    'ALTER TABLE room.event ATTACH PARTITION room.%I FOR VALUES FROM (%L) TO (%L)',
    child, first, first || '~'
  );
END $$;

-- Adds rows after the event `after_seq`. 'ok', 'gap' (go on from the head that is returned),
-- 'alarmed', or an alarm; 'unlinked' and 'foreign' refuse these rows only.
CREATE FUNCTION room.append(
  of_day text, after_seq bigint, after_hash bytea,
  hands bigint[], ats bigint[], monos bigint[], kinds text[], actors text[], bodies text[],
  hashes bytea[]
) RETURNS TABLE (answer text, seq bigint, head bytea) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  who constant text := room.me();
  n constant int := coalesce(cardinality(hashes), 0);
  of_kind text;
  now_at room.journal;
  begins boolean := false;
  opened jsonb;
  wrong bigint;
  known bigint;
  known_hash bytea;
BEGIN
  IF n = 0 OR n > 10000 OR of_day !~ '^(\d{4}-\d\d-\d\d|office-\d{4})[b-z]*$' THEN
    RAISE EXCEPTION 'not rows of a day' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- Locks the source: two shippers of one table take turns.
  SELECT s.kind INTO of_kind FROM room.source s WHERE s.name = who FOR UPDATE;
  IF room.in_alarm(who) THEN
    answer := 'alarmed';
    seq := 0;
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT * INTO now_at FROM room.journal j
    WHERE j.source = who AND j.day = of_day AND j.replaced_by IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    begins := true;
    SELECT coalesce(max(j.generation), 0) + 1 INTO now_at.generation
      FROM room.journal j WHERE j.source = who AND j.day = of_day;
    now_at.seq := 0;
    now_at.head := '\x'::bytea;
    now_at.previous := after_hash;
  END IF;

  IF after_seq > now_at.seq OR (begins AND after_seq <> 0) THEN
    answer := 'gap';
  ELSIF begins THEN
    BEGIN
      opened := bodies[1]::jsonb;
    EXCEPTION WHEN OTHERS THEN
      opened := '{}';
    END;
    answer := room.first_rows_answer(who, of_kind, of_day, now_at.generation, kinds[1], opened, after_hash, hashes[n], n);
  ELSE
    -- What came before, and what comes again, must be what is here.
    IF after_seq > 0 THEN
      SELECT e.hash INTO known_hash FROM room.event e
        WHERE e.day = of_day AND e.source = who AND e.generation = now_at.generation
          AND e.seq = after_seq;
    ELSE
      known_hash := now_at.previous;
    END IF;
    SELECT min(e.seq) INTO wrong FROM room.event e
      WHERE e.day = of_day AND e.source = who AND e.generation = now_at.generation
        AND e.seq > after_seq AND e.seq <= after_seq + n
        AND e.hash IS DISTINCT FROM hashes[e.seq - after_seq];
    IF known_hash IS DISTINCT FROM after_hash OR wrong IS NOT NULL THEN
      answer := room.raise_alarm(who, of_day, now_at.generation, 'forked',
        now_at.seq, now_at.head, after_seq + n, hashes[n]);
    END IF;
  END IF;

  IF answer IS NULL THEN
    SELECT min(r.at) INTO wrong
      FROM unnest(hands, ats, monos, kinds, actors, bodies, hashes)
        WITH ORDINALITY AS r(hand, at_us, mono_us, kind, actor, body, hash, at)
      WHERE r.hash IS DISTINCT FROM room.link(
        CASE WHEN r.at = 1 THEN after_hash ELSE hashes[r.at - 1] END,
        after_seq + r.at, r.hand, r.at_us, r.mono_us, r.kind, r.actor, r.body);
    IF wrong IS NOT NULL THEN
      answer := room.raise_alarm(who, of_day, now_at.generation, 'broken',
        now_at.seq, now_at.head, after_seq + wrong, hashes[wrong]);
    END IF;
  END IF;

  IF answer IS NULL THEN
    answer := 'ok';
    known := now_at.seq - after_seq;
    IF begins THEN
      PERFORM room.make_partition(of_day);
      INSERT INTO room.journal (source, day, generation, seq, head, previous)
        VALUES (who, of_day, now_at.generation, 0, after_hash, after_hash);
      UPDATE room.source s SET first_key = opened ->> 'public_key'
        WHERE s.name = who AND s.first_key IS NULL;
    END IF;
    IF n > known THEN
      INSERT INTO room.event (source, day, generation, seq, hand, at_us, mono_us, kind, actor, body, hash)
        SELECT who, of_day, now_at.generation, after_seq + r.at, r.hand, r.at_us, r.mono_us,
            r.kind, r.actor, r.body, r.hash
          FROM unnest(hands, ats, monos, kinds, actors, bodies, hashes)
            WITH ORDINALITY AS r(hand, at_us, mono_us, kind, actor, body, hash, at)
          WHERE r.at > known ORDER BY r.at;
      now_at.seq := after_seq + n;
      now_at.head := hashes[n];
      UPDATE room.journal j SET seq = now_at.seq, head = now_at.head, moved_at = clock_timestamp()
        WHERE j.source = who AND j.day = of_day AND j.generation = now_at.generation;
      PERFORM pg_notify('room', who);
    END IF;
  END IF;
  seq := now_at.seq;
  head := now_at.head;
  RETURN NEXT;
END $$;

-- The first row of a journal says whose it is and what it follows: NULL, or why it is refused.
CREATE FUNCTION room.first_rows_answer(
  who text, of_kind text, of_day text, of_generation int, first_kind text, opened jsonb,
  after_hash bytea, last_hash bytea, n int
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  start constant bytea := decode(repeat('00', 32), 'hex');
  says_table constant text := opened ->> 'table';
  says_day constant text := opened ->> 'day';
  before room.journal;
  enrolled_segment boolean;
BEGIN
  IF first_kind IS DISTINCT FROM 'day_opened'
    OR (of_kind = 'table' AND (says_table, says_day) IS DISTINCT FROM (who, of_day))
    OR (of_kind = 'office' AND says_table || '-' || says_day IS DISTINCT FROM of_day)
    OR opened ->> 'previous' IS DISTINCT FROM encode(after_hash, 'hex')
  THEN
    RETURN room.raise_alarm(who, of_day, of_generation, 'foreign', 0, start, n, last_hash);
  END IF;
  SELECT * INTO before FROM room.journal j
    WHERE j.source = who AND j.day < of_day AND j.replaced_by IS NULL ORDER BY j.day DESC LIMIT 1;
  -- A segment that a supervisor enrolled at the table follows nothing, and its name has a letter.
  enrolled_segment := after_hash = start AND of_day ~ '[b-z]$';
  IF before.head IS NOT NULL AND before.head <> after_hash AND NOT enrolled_segment THEN
    RETURN room.raise_alarm(who, of_day, of_generation, 'unlinked', before.seq, before.head, n, last_hash);
  END IF;
  IF before.head IS NULL AND of_generation = 1 AND EXISTS (
    SELECT FROM room.source s WHERE s.name = who AND s.first_key IS NOT NULL
      AND s.first_key <> opened ->> 'public_key')
  THEN
    RETURN room.raise_alarm(who, of_day, of_generation, 'unlinked', 0, start, n, last_hash);
  END IF;
  RETURN NULL;
END $$;

-- What was refused at the table, from the id after the last one that is here.
CREATE FUNCTION room.last_refusal(of_day text) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT coalesce(max(id), 0) FROM room.refusal WHERE source = room.me() AND day = of_day;
END;

CREATE FUNCTION room.add_refusals(
  of_day text, ids bigint[], afters bigint[], ats bigint[], hands bigint[], codes text[],
  messages text[], rules text[], documents text[]
) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  INSERT INTO room.refusal (source, day, id, after_seq, at_us, hand, code, message, rule, from_document)
    SELECT room.me(), of_day, r.* FROM unnest(ids, afters, ats, hands, codes, messages, rules, documents) r
    ON CONFLICT DO NOTHING;
END;

-- The newest cosignature of the asking source's journal of a day.
CREATE FUNCTION room.cosigned(of_day text)
RETURNS TABLE (generation int, seq bigint, head bytea, at_us bigint, key text, signature text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT c.generation, c.seq, c.head, c.at_us, c.key, c.signature
    FROM room.cosignature c JOIN room.journal j USING (source, day, generation)
    WHERE c.source = room.me() AND c.day = of_day AND j.replaced_by IS NULL
    ORDER BY c.seq DESC LIMIT 1;
END;

-- For the witness. It never goes back, and never signs what is not here.
CREATE FUNCTION room.add_cosignature(
  of_source text, of_day text, of_generation int, of_key text, at_seq bigint, at_head bytea,
  signed_at_us bigint, made_signature text
) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM room.event e WHERE e.day = of_day AND e.source = of_source
      AND e.generation = of_generation AND e.seq = at_seq AND e.hash = at_head)
  THEN
    RETURN false;
  END IF;
  INSERT INTO room.cosignature AS c (source, day, generation, key, seq, head, at_us, signature)
    VALUES (of_source, of_day, of_generation, of_key, at_seq, at_head, signed_at_us, made_signature)
    ON CONFLICT (source, day, generation, key) DO UPDATE
      SET seq = excluded.seq, head = excluded.head, at_us = excluded.at_us,
        signature = excluded.signature
      WHERE c.seq < excluded.seq;
  PERFORM pg_notify('room', of_source);
  RETURN true;
END $$;

CREATE FUNCTION room.report_unsound(
  of_source text, of_day text, of_generation int, at_seq bigint, at_head bytea
) RETURNS text LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT room.raise_alarm(of_source, of_day, of_generation, 'unsound', at_seq, at_head, at_seq, at_head);
END;

CREATE FUNCTION room.beat(beat jsonb) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO room.heartbeat (source, beat) VALUES (room.me(), beat)
    ON CONFLICT (source) DO UPDATE SET at = clock_timestamp(), beat = excluded.beat;
  PERFORM pg_notify('room', room.me());
END $$;

-- One row per source: what the floor and `room status` read.
CREATE VIEW room.overview AS
  SELECT s.name, s.kind, j.day, j.generation, j.seq, j.head, j.moved_at,
    c.seq AS cosigned_seq, c.at_us AS cosigned_at_us, h.at AS heard_at, h.beat,
    (SELECT a.what FROM room.alarm a WHERE a.source = s.name AND a.answered_by IS NULL
      ORDER BY (a.what IN ('rolled_back', 'forked', 'broken')) DESC, a.id DESC LIMIT 1) AS alarm
  FROM room.source s
  LEFT JOIN LATERAL (
    SELECT * FROM room.journal j WHERE j.source = s.name AND j.replaced_by IS NULL
    ORDER BY j.day DESC LIMIT 1
  ) j ON true
  LEFT JOIN LATERAL (
    SELECT * FROM room.cosignature c
    WHERE c.source = j.source AND c.day = j.day AND c.generation = j.generation
    ORDER BY c.seq DESC LIMIT 1
  ) c ON true
  LEFT JOIN room.heartbeat h ON h.source = s.name;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA room FROM PUBLIC;
