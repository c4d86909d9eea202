-- For whoever reads the room: reports, exports and the review.

-- What a reader asks a journal for by kind, before and beside reading it in order: names, shifts,
-- rulings, calls, devices; and whether an office has recorded more than PINs. A small part of all
-- events; the kinds are those of review/index and room/listing.py.
CREATE INDEX event_around ON room.event (source, day, generation, seq) WHERE kind IN (
  'box_counted', 'hand_noted', 'hand_tagged',
  'chips_transferred', 'clock_stepped', 'day_carried', 'day_closed', 'day_opened', 'dealer_in',
  'dealer_out', 'device_changed', 'device_identified', 'device_metered', 'fee_returned',
  'floor_arrived', 'floor_call_ended', 'floor_called', 'impound_released', 'player_left',
  'player_moved', 'player_renamed', 'player_seated', 'pot_impounded', 'recovered', 'ruled',
  'segment_enrolled', 'shift_closed', 'shift_opened', 'stack_adjusted', 'stack_set',
  'taken_back'
);

-- A refusal that comes after its events is news too: a reader that has read them looks again.
CREATE OR REPLACE FUNCTION room.add_refusals(
  of_day text, ids bigint[], afters bigint[], ats bigint[], hands bigint[], codes text[],
  messages text[], rules text[], documents text[]
) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  INSERT INTO room.refusal (source, day, id, after_seq, at_us, hand, code, message, rule, from_document)
    SELECT room.me(), of_day, r.* FROM unnest(ids, afters, ats, hands, codes, messages, rules, documents) r
    ON CONFLICT DO NOTHING;
  UPDATE room.journal SET moved_at = clock_timestamp()
    WHERE source = room.me() AND day = of_day AND replaced_by IS NULL;
  SELECT pg_notify('room', room.me());
END;
