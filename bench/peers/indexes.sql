-- The covering indexes of both databases, which answer filters, counts and needs without the tables.
CREATE INDEX by_updated ON product (updated);
CREATE INDEX by_sort ON product (sort);
CREATE INDEX by_category ON product (category, fire, installation, epd, purchasable, character, manufacturer, alpha_w, updated);
CREATE INDEX by_character ON product (character, fire, category, installation, epd, purchasable, manufacturer, alpha_w, updated);
CREATE INDEX by_installation ON product (installation, fire, category, epd, purchasable, character, manufacturer, alpha_w, updated);
CREATE INDEX by_manufacturer ON product (manufacturer, fire, category, installation, epd, purchasable, character, alpha_w, updated);
CREATE INDEX by_fire ON product (fire, category, installation, epd, purchasable, character, manufacturer, alpha_w, updated);
CREATE INDEX by_epd ON product (epd, fire, category, installation, purchasable, character, manufacturer, alpha_w, updated);
CREATE INDEX by_purchasable ON product (purchasable, fire, category, installation, epd, character, manufacturer, alpha_w, updated);
CREATE INDEX by_hz63 ON entry (hz63, hz125, hz250, hz500, hz1000, hz2000, hz4000, hz8000, depth, mounting, source_kind, doc);
CREATE INDEX by_hz125 ON entry (hz125, hz63, hz250, hz500, hz1000, hz2000, hz4000, hz8000, depth, mounting, source_kind, doc);
CREATE INDEX by_hz250 ON entry (hz250, hz63, hz125, hz500, hz1000, hz2000, hz4000, hz8000, depth, mounting, source_kind, doc);
CREATE INDEX by_hz500 ON entry (hz500, hz63, hz125, hz250, hz1000, hz2000, hz4000, hz8000, depth, mounting, source_kind, doc);
CREATE INDEX by_hz1000 ON entry (hz1000, hz63, hz125, hz250, hz500, hz2000, hz4000, hz8000, depth, mounting, source_kind, doc);
CREATE INDEX by_hz2000 ON entry (hz2000, hz63, hz125, hz250, hz500, hz1000, hz4000, hz8000, depth, mounting, source_kind, doc);
CREATE INDEX by_hz4000 ON entry (hz4000, hz63, hz125, hz250, hz500, hz1000, hz2000, hz8000, depth, mounting, source_kind, doc);
CREATE INDEX by_hz8000 ON entry (hz8000, hz63, hz125, hz250, hz500, hz1000, hz2000, hz4000, depth, mounting, source_kind, doc);
