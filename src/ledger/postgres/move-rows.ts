/**
 * The function that moves rows. It is part of the schema (STORE_VERSION).
 *
 * A batch of moves is one call, and so always one round trip and one commit; a statement per row, or separate BEGIN and
 * COMMIT, would lose the speed that the group commit gains. Its rules are those of ledger/states.ts, which the caller
 * passes as pairs `from>to`.
 *
 * Locks, in this order:
 * - the lane, FOR KEY SHARE: a taker changes its token, which is a key, and so waits for this commit, or makes it fail;
 *   heartbeats change no key and are not held up;
 * - the writer's line in `commits`: a statement sent again after a lost answer waits here for the first one, then sees
 *   that it is done, and answers the same;
 * - the rows, each by its key;
 * - the target, where there are intents: they are numbered across all jobs in the order of their commits. Two batches
 *   that contest each other's items may lock rows in opposite orders: PostgreSQL rolls one of them back, and it is sent
 *   again.
 */

/** SQLSTATEs that the function raises, with the content of their messages. */
export const MOVE_ERRORS = {
  leaseLost: 'SL001',
  /** Message: the id of the job that has the claim. */
  claimed: 'SL002',
  /** Message: for the report of the defect. */
  forbidden: 'SL003',
} as const;

export function moveRowsFunction(schema: string): string {
  return `
  CREATE FUNCTION ${schema}.move_rows(
    p_job text, p_token text, p_fingerprint text, p_force boolean, p_writer text, p_commit bigint, p_now bigint,
    p_moves text[], p_ordinals integer[], p_from text[], p_states text[], p_actions text[], p_operations text[],
    p_set_items boolean[], p_items text[], p_set_requests boolean[], p_requests text[],
    p_set_issues boolean[], p_issues text[], p_marks bigint[], p_attempts integer[], p_quiet bigint[],
    p_accounted bigint[], p_relied text[], OUT v_contested integer[], OUT v_missed integer[], OUT v_stale integer[]
  ) LANGUAGE plpgsql
  -- Each row is found by its key: a plan made while the table was empty must not read all of it later.
  SET enable_seqscan = off
  AS $function$
  DECLARE
    v_job bigint;
    v_target bigint;
    v_sequence bigint;
    v_owner text;
    v_state text;
    v_attempts integer;
    v_is_new boolean;
    v_sends boolean := false;
    m record;
    other record;
  BEGIN
    v_contested := '{}';
    v_missed := '{}';
    v_stale := '{}';
    IF p_token IS NOT NULL THEN
      PERFORM 1 FROM ${schema}.lanes WHERE token = p_token FOR KEY SHARE;
      IF NOT FOUND THEN RAISE EXCEPTION 'the lane was taken' USING ERRCODE = 'SL001'; END IF;
    END IF;

    SELECT number, target INTO v_job, v_target FROM ${schema}.jobs WHERE id = p_job;
    IF NOT FOUND THEN RAISE EXCEPTION 'no job %', p_job USING ERRCODE = 'SL003'; END IF;

    -- Each writer has its own line: another one may move rows of the job before this one repeats a batch.
    INSERT INTO ${schema}.commits AS c (job, writer, number, contested, missed, stale)
      VALUES (v_job, p_writer, p_commit, '{}', '{}', '{}')
    ON CONFLICT (job, writer) DO UPDATE
      SET number = excluded.number, contested = '{}', missed = '{}', stale = '{}', at = now()
      WHERE c.number < excluded.number
      RETURNING xmax = 0 INTO v_is_new;
    IF NOT FOUND THEN
      SELECT c.contested, c.missed, c.stale INTO v_contested, v_missed, v_stale FROM ${schema}.commits c
        WHERE c.job = v_job AND c.writer = p_writer AND c.number = p_commit;
      IF FOUND THEN RETURN; END IF;
      RAISE EXCEPTION 'commit % of job % comes after a later one', p_commit, p_job USING ERRCODE = 'SL003';
    END IF;
    IF v_is_new THEN
      DELETE FROM ${schema}.commits c WHERE c.job = v_job AND c.at < now() - interval '1 day';
    END IF;

    IF 'sending' = ANY (p_states) THEN
      IF p_fingerprint IS NOT NULL THEN
        -- Waits for another job that is about to claim the same.
        INSERT INTO ${schema}.claims AS c (fingerprint, job) VALUES (p_fingerprint, v_job)
        ON CONFLICT (fingerprint) DO UPDATE SET job = excluded.job WHERE p_force AND c.job <> excluded.job;
        SELECT j.id INTO v_owner FROM ${schema}.claims c JOIN ${schema}.jobs j ON j.number = c.job
          WHERE c.fingerprint = p_fingerprint;
        IF v_owner <> p_job THEN RAISE EXCEPTION '%', v_owner USING ERRCODE = 'SL002'; END IF;
      END IF;
    END IF;

    -- One after another: a row may come twice (back to planned, and sent again), and so may an item.
    FOR m IN
      SELECT * FROM unnest(p_ordinals, p_from, p_states, p_actions, p_operations, p_set_items, p_items, p_set_requests,
        p_requests, p_set_issues, p_issues, p_marks, p_attempts, p_quiet, p_accounted, p_relied)
        AS t(ordinal, from_state, state, action, operation, set_item, item, set_request, request, set_issues, issues, mark,
          attempts, quiet, accounted, relied)
    LOOP
      IF m.from_state IS NOT NULL OR m.attempts IS NOT NULL THEN
        SELECT r.state, r.attempts INTO v_state, v_attempts FROM ${schema}.rows r
          WHERE r.job = v_job AND r.ordinal = m.ordinal FOR UPDATE;
        IF (m.from_state IS NOT NULL AND v_state IS DISTINCT FROM m.from_state)
            OR (m.attempts IS NOT NULL AND v_attempts IS DISTINCT FROM m.attempts) THEN
          v_missed := v_missed || m.ordinal;
          CONTINUE;
        END IF;
      END IF;

      IF m.state = 'done' AND m.item IS NOT NULL THEN
        SELECT r.job, r.ordinal INTO other FROM ${schema}.rows r
          WHERE r.target = v_target AND r.item_id = m.item AND r.action = 'create'
            AND NOT (r.job = v_job AND r.ordinal = m.ordinal);
        IF FOUND AND EXISTS (SELECT 1 FROM ${schema}.rows r
                             WHERE r.job = v_job AND r.ordinal = m.ordinal AND r.action = 'create') THEN
          -- Another create has this item: which of the two made it, only settling can find out.
          UPDATE ${schema}.rows r SET state = 'unknown', item_id = NULL
            WHERE (r.job = other.job AND r.ordinal = other.ordinal) OR (r.job = v_job AND r.ordinal = m.ordinal);
          v_contested := v_contested || m.ordinal;
          CONTINUE;
        END IF;
      END IF;

      IF m.state = 'sending' THEN
        IF v_sequence IS NULL THEN
          UPDATE ${schema}.targets t SET sequence = t.sequence + cardinality(array_positions(p_states, 'sending'))
            WHERE t.number = v_target
            RETURNING t.sequence - cardinality(array_positions(p_states, 'sending')) INTO v_sequence;
        END IF;
        -- After the lock of the target, so that whatever others have committed is seen.
        IF m.accounted IS NOT NULL AND EXISTS (
            SELECT FROM ${schema}.rows own JOIN ${schema}.rows o ON o.target = own.target AND o.action = 'update'
              AND o.item_id = ANY (array_prepend(own.item_id, m.relied::text[])) AND o.sequence > m.accounted AND NOT (o.job = own.job AND o.ordinal = own.ordinal)
            WHERE own.job = v_job AND own.ordinal = m.ordinal) THEN
          v_stale := v_stale || m.ordinal;
          CONTINUE;
        END IF;
        v_sequence := v_sequence + 1;
        UPDATE ${schema}.rows r SET state = 'sending', attempts = r.attempts + 1, mark = m.mark, sequence = v_sequence,
            quiet_ms = m.quiet
          WHERE r.job = v_job AND r.ordinal = m.ordinal AND r.state || '>sending' = ANY (p_moves);
        v_sends := true;
      ELSE
        UPDATE ${schema}.rows r SET state = m.state,
            item_id = CASE WHEN m.set_item THEN m.item ELSE r.item_id END,
            request_id = CASE WHEN m.set_request THEN m.request ELSE r.request_id END,
            issues = CASE WHEN m.set_issues THEN m.issues ELSE r.issues END,
            operation = coalesce(m.operation, r.operation), action = coalesce(m.action, r.action),
            quiet_ms = coalesce(m.quiet, r.quiet_ms),
            -- A create whose earlier request may have been applied is sent again, or left.
            resent = CASE WHEN m.state IN ('planned', 'skipped') AND r.state IN ('unknown', 'held') AND r.action = 'create'
              AND r.attempts > 0 THEN 1 ELSE r.resent END
          WHERE r.job = v_job AND r.ordinal = m.ordinal AND r.state || '>' || m.state = ANY (p_moves);
      END IF;
      IF NOT FOUND THEN
        SELECT r.state INTO v_state FROM ${schema}.rows r WHERE r.job = v_job AND r.ordinal = m.ordinal;
        RAISE EXCEPTION 'row % may not become %: it is %', m.ordinal, m.state, coalesce(v_state, 'not there')
          USING ERRCODE = 'SL003';
      END IF;
    END LOOP;

    IF v_sends THEN
      UPDATE ${schema}.jobs SET first_sent_at = p_now WHERE number = v_job AND first_sent_at IS NULL;
    END IF;

    -- Items that a list must show from now on.
    INSERT INTO ${schema}.acknowledged_items (target, item_id, mark, at)
      SELECT DISTINCT ON (r.item_id) r.target, r.item_id, coalesce(t.mark, r.mark), p_now
      FROM unnest(p_ordinals, p_states, p_items, p_marks) AS t(ordinal, state, item, mark)
        JOIN ${schema}.rows r ON r.job = v_job AND r.ordinal = t.ordinal
      WHERE t.state = 'done' AND r.state = 'done' AND r.action = 'create' AND r.item_id = t.item
      ORDER BY r.item_id
    ON CONFLICT (target, item_id) DO UPDATE SET mark = excluded.mark, at = excluded.at;

    IF cardinality(v_contested || v_missed || v_stale) > 0 THEN
      UPDATE ${schema}.commits SET contested = v_contested, missed = v_missed, stale = v_stale
        WHERE job = v_job AND writer = p_writer;
    END IF;
  END
  $function$`;
}
