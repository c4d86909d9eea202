-- The staff list that an office publishes for all tables. The room only carries it: tables believe
-- the office's signature, not the room. What it says of PINs are salted and peppered hashes.

CREATE TABLE room.staff_list (
  version bigint PRIMARY KEY CHECK (version > 0),
  content text NOT NULL CHECK (octet_length(content) <= 1048576),
  list_sha256 text NOT NULL,
  key text NOT NULL,
  signature text NOT NULL,
  source text COLLATE "C" NOT NULL REFERENCES room.source,
  signed_by text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON room.staff_list
  FOR EACH ROW EXECUTE FUNCTION room.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON room.staff_list
  FOR EACH STATEMENT EXECUTE FUNCTION room.refuse_change();

-- Which list each table uses now, as it says itself; its office journal has the entry.
CREATE TABLE room.staff_answer (
  source text COLLATE "C" PRIMARY KEY REFERENCES room.source,
  version bigint NOT NULL,
  list_sha256 text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);

ALTER TABLE room.alarm DROP CONSTRAINT alarm_what_check;
ALTER TABLE room.alarm ADD CONSTRAINT alarm_what_check CHECK (what IN (
  'rolled_back', 'forked', 'broken', 'unlinked', 'foreign', 'unsound',
  'list_older', 'list_forged', 'list_unusable'));

-- For an office. 'ok', or 'older': the list that is here is at least as new.
CREATE FUNCTION room.publish_staff(
  of_version bigint, of_content text, of_sha256 text, of_key text, of_signature text, by_whom text
) RETURNS text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  who constant text := room.me();
BEGIN
  IF NOT EXISTS (SELECT FROM room.source s WHERE s.name = who AND s.kind = 'office') THEN
    RAISE EXCEPTION 'only an office publishes a staff list' USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- Two offices at once take turns.
  PERFORM pg_advisory_xact_lock(hashtext('room.publish_staff'));
  IF of_version <= (SELECT coalesce(max(version), 0) FROM room.staff_list) THEN
    RETURN 'older';
  END IF;
  INSERT INTO room.staff_list (version, content, list_sha256, key, signature, source, signed_by)
    VALUES (of_version, of_content, of_sha256, of_key, of_signature, who, by_whom);
  PERFORM pg_notify('room', who);
  RETURN 'ok';
END $$;

-- The newest list; without its content if the asking source has it already.
CREATE FUNCTION room.newest_staff(known_sha256 text)
RETURNS TABLE (version bigint, list_sha256 text, content text, key text, signature text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT l.version, l.list_sha256,
      CASE WHEN l.list_sha256 IS DISTINCT FROM known_sha256 THEN l.content END, l.key, l.signature
    FROM room.staff_list l WHERE room.me() IS NOT NULL ORDER BY l.version DESC LIMIT 1;
END;

-- A table says what it made of a list: 'taken', or the alarm that it raises. A newer list that is
-- taken answers the alarms about lists before it: the office has put it right.
CREATE FUNCTION room.answer_staff(
  of_version bigint, of_sha256 text, made_of_it text, used_version bigint, used_sha256 text
) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  who constant text := room.me();
  by_whom text;
  answer bigint;
BEGIN
  IF made_of_it <> 'taken' THEN
    IF made_of_it NOT LIKE 'list!_%' ESCAPE '!' THEN
      RAISE EXCEPTION 'not an answer to a list' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM room.raise_alarm(who, 'staff', 1, made_of_it, of_version,
      convert_to(of_sha256, 'UTF8'), used_version, convert_to(used_sha256, 'UTF8'));
    RETURN;
  END IF;
  INSERT INTO room.staff_answer (source, version, list_sha256) VALUES (who, of_version, of_sha256)
    ON CONFLICT (source) DO UPDATE SET version = excluded.version,
      list_sha256 = excluded.list_sha256, at = clock_timestamp();
  SELECT l.signed_by INTO by_whom FROM room.staff_list l
    WHERE l.version = of_version AND l.list_sha256 = of_sha256;
  IF by_whom IS NOT NULL AND EXISTS (
    SELECT FROM room.alarm a WHERE a.source = who AND a.answered_by IS NULL AND a.day = 'staff'
      AND a.table_seq < of_version)
  THEN
    INSERT INTO room.enrollment (source, signed_by, reason)
      VALUES (who, by_whom, format('staff list %s was published and taken', of_version))
      RETURNING id INTO answer;
    UPDATE room.alarm a SET answered_by = answer
      WHERE a.source = who AND a.answered_by IS NULL AND a.day = 'staff' AND a.table_seq < of_version;
  END IF;
END $$;

-- A row with the hand -1 has the hash of one without a hand, which nobody wrote as this.
CREATE OR REPLACE FUNCTION room.link(
  previous bytea, seq bigint, hand bigint, at_us bigint, mono_us bigint,
  kind text, actor text, body text
) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256(
  '\x6f6d6168612d7461626c65206a6f75726e616c203100'::bytea || previous
  || int8send(seq) || int8send(CASE WHEN hand IS NULL THEN -1 WHEN hand >= 0 THEN hand END)
  || int8send(at_us) || int8send(mono_us)
  || int8send(octet_length(kind)) || convert_to(kind, 'UTF8')
  || int8send(octet_length(actor)) || convert_to(actor, 'UTF8')
  || int8send(octet_length(body)) || convert_to(body, 'UTF8')
);

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA room FROM PUBLIC;
