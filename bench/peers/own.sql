-- SQLite FTS5, unicode61
CREATE VIRTUAL TABLE product USING fts5 (id, slug, name_de, name_en, name, manufacturer, kinds, text_de, text_en, details,
	tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
-- once it is full
INSERT INTO product (product, rank) VALUES ('rank', 'bm25(10, 10, 5, 5, 5, 3, 2, 1, 1, 1)');
INSERT INTO product (product) VALUES ('optimize');
-- the query
SELECT id FROM product WHERE product MATCH ?1 ORDER BY rank LIMIT 20

-- SQLite FTS5, trigram
CREATE VIRTUAL TABLE product USING fts5 (id, slug, name_de, name_en, name, manufacturer, kinds, text_de, text_en, details,
	tokenize = 'trigram remove_diacritics 1');
-- once it is full
INSERT INTO product (product, rank) VALUES ('rank', 'bm25(10, 10, 5, 5, 5, 3, 2, 1, 1, 1)');
INSERT INTO product (product) VALUES ('optimize');
-- the query
SELECT id FROM product WHERE product MATCH ?1 ORDER BY rank LIMIT 20

-- PostgreSQL, german and english
CREATE UNLOGGED TABLE product (id text PRIMARY KEY, slug text, name_de text, name_en text, name text, manufacturer text,
	kinds text, text_de text, text_en text, details text,
	words tsvector GENERATED ALWAYS AS (
		setweight(to_tsvector('german', id || ' ' || slug || ' ' || name_de || ' ' || name), 'A') ||
		setweight(to_tsvector('english', id || ' ' || slug || ' ' || name_en || ' ' || name), 'A') ||
		setweight(to_tsvector('german', manufacturer), 'B') || setweight(to_tsvector('english', manufacturer), 'B') ||
		setweight(to_tsvector('german', kinds), 'C') || setweight(to_tsvector('english', kinds), 'C') ||
		setweight(to_tsvector('german', text_de), 'D') || setweight(to_tsvector('english', text_en), 'D') ||
		setweight(to_tsvector('simple', details), 'D')) STORED);
-- once it is full
CREATE INDEX ON product USING gin (words) WITH (fastupdate = off);
-- the query
SELECT id FROM product,
	(SELECT websearch_to_tsquery('german', ?1) || websearch_to_tsquery('english', ?1) AS wanted) q
	WHERE words @@ wanted ORDER BY ts_rank(words, wanted) DESC, id LIMIT 20

-- PostgreSQL, pg_trgm
-- Over descriptions too, a question took a quarter of a second at 2,000 products.
CREATE EXTENSION pg_trgm;
CREATE UNLOGGED TABLE product (id text PRIMARY KEY, slug text, name_de text, name_en text, name text, manufacturer text,
	kinds text, text_de text, text_en text, details text,
	names text GENERATED ALWAYS AS (id || ' ' || slug || ' ' || name_de || ' ' || name_en || ' ' || name || ' ' ||
		manufacturer || ' ' || kinds || ' ' || details) STORED);
-- once it is full
CREATE INDEX ON product USING gin (names gin_trgm_ops) WITH (fastupdate = off);
-- the query
SELECT id FROM product WHERE ?1 <% names ORDER BY ?1 <<-> names, id LIMIT 20
