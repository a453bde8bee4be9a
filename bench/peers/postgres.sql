CREATE EXTENSION pg_trgm;
CREATE UNLOGGED TABLE product (
	doc int4, category int2, character int2, installation int8, manufacturer int2, fire int2, epd int2, purchasable int2,
	alpha_w float8, updated int8, id text, sort bytea);
CREATE UNLOGGED TABLE entry (
	doc int4 NOT NULL, hz63 int2, hz125 int2, hz250 int2, hz500 int2, hz1000 int2, hz2000 int2, hz4000 int2, hz8000 int2,
	depth float8, mounting int2 NOT NULL, source_kind int2 NOT NULL);
CREATE UNLOGGED TABLE terms (doc int4, terms text);
CREATE UNLOGGED TABLE name (number int4, key text, grams int4);
CREATE UNLOGGED TABLE named (name int4, doc int4);
CREATE UNLOGGED TABLE shortened (short text, word text);

-- once the tables are full
-- The terms become tsvectors that no query reads: their GIN index is enough.
ALTER TABLE product RENAME TO source;
CREATE UNLOGGED TABLE product (
	updated int8 NOT NULL, alpha_w float8, installation int8 NOT NULL, doc int4 NOT NULL, category int2 NOT NULL,
	character int2 NOT NULL, manufacturer int2 NOT NULL, fire int2 NOT NULL, epd int2 NOT NULL, purchasable int2 NOT NULL,
	id text NOT NULL, sort bytea NOT NULL, terms tsvector NOT NULL);
ALTER TABLE product ALTER terms SET STORAGE EXTERNAL;
INSERT INTO product SELECT updated, alpha_w, installation, doc, category, character, manufacturer, fire, epd, purchasable, id, sort,
	array_to_tsvector(string_to_array(terms, ' ')) FROM source JOIN terms USING (doc) ORDER BY doc;
DROP TABLE source, terms;
ALTER TABLE product ADD PRIMARY KEY (doc);
CREATE INDEX ON product USING gin (terms) WITH (fastupdate = off);
CREATE INDEX ON name USING gin (key gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX ON named (name) INCLUDE (doc);
CREATE INDEX ON shortened (short) INCLUDE (word);
-- Or else the planner reads the terms of all products where many are found, or spends milliseconds on parallel workers.
ALTER FUNCTION ts_match_vq(tsvector, tsquery) COST 10000 PARALLEL RESTRICTED;
-- It takes the plan of a text tier by tier, in one call.
CREATE FUNCTION first_hits(tiers tsquery[], wanted int8) RETURNS SETOF text LANGUAGE plpgsql STABLE AS $$
DECLARE
	found int4[] := '{}';
	tier tsquery;
BEGIN
	FOREACH tier IN ARRAY tiers LOOP
		EXIT WHEN cardinality(found) >= wanted;
		found := found || ARRAY(SELECT doc FROM product WHERE terms @@ tier AND doc <> ALL (found) LIMIT wanted - cardinality(found));
	END LOOP;
	RETURN QUERY SELECT id FROM unnest(found) WITH ORDINALITY hit (doc, place) JOIN product USING (doc) ORDER BY place;
END $$;
CREATE INDEX ON product (alpha_w DESC NULLS LAST, updated DESC)
	INCLUDE (category, character, installation, manufacturer, fire, epd, purchasable);
CREATE INDEX ON product (alpha_w, updated DESC);
