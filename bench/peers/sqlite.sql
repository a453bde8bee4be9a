CREATE TABLE product (
	doc INTEGER PRIMARY KEY, category INT NOT NULL, character INT NOT NULL, installation INT NOT NULL, manufacturer INT NOT NULL,
	fire INT NOT NULL, epd INT NOT NULL, purchasable INT NOT NULL, alpha_w REAL, updated INT NOT NULL, id TEXT NOT NULL,
	sort BLOB NOT NULL);
CREATE TABLE entry (
	doc INT NOT NULL, hz63 INT, hz125 INT, hz250 INT, hz500 INT, hz1000 INT, hz2000 INT, hz4000 INT, hz8000 INT, depth REAL,
	mounting INT NOT NULL, source_kind INT NOT NULL);
CREATE VIRTUAL TABLE terms USING fts5 (term, content='', columnsize=0, detail=none, tokenize="ascii tokenchars '_.'");
CREATE TABLE name (number INTEGER PRIMARY KEY, key TEXT UNIQUE, grams INT NOT NULL);
CREATE TABLE named (name INT, doc INT, PRIMARY KEY (name, doc)) WITHOUT ROWID;
CREATE TABLE gram (gram INT, name INT, PRIMARY KEY (gram, name)) WITHOUT ROWID;
CREATE TABLE shortened (short TEXT, word TEXT, PRIMARY KEY (short, word)) WITHOUT ROWID;

-- once the tables are full
INSERT INTO terms (terms) VALUES ('optimize');
CREATE INDEX by_alpha_w ON product (alpha_w, updated);
CREATE INDEX by_alpha_w_asc ON product (alpha_w, updated DESC);
