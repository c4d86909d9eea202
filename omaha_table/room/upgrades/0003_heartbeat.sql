-- The heartbeat has a bound, and tells the table what the room has against it: a witness's finding
-- reaches nobody at the table otherwise. A table speaks for itself only, as everywhere.

DROP FUNCTION room.beat(jsonb);
CREATE FUNCTION room.beat(beat jsonb) RETURNS TABLE (now_at double precision, alarm text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  who constant text := room.me();
BEGIN
  IF jsonb_typeof(beat) IS DISTINCT FROM 'object' OR octet_length(beat::text) > 8192 THEN
    RAISE EXCEPTION 'not a heartbeat' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  INSERT INTO room.heartbeat AS h (source, beat) VALUES (who, beat.beat)
    ON CONFLICT (source) DO UPDATE SET at = clock_timestamp(), beat = excluded.beat;
  PERFORM pg_notify('room', who);
  now_at := extract(epoch FROM clock_timestamp());
  SELECT a.what INTO alarm FROM room.alarm a
    -- About the log: what is wrong with a staff list, the table says by itself.
    WHERE a.source = who AND a.answered_by IS NULL AND a.day <> 'staff'
    ORDER BY (a.what IN ('rolled_back', 'forked', 'broken')) DESC, a.id DESC LIMIT 1;
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION room.beat(jsonb) FROM PUBLIC;
