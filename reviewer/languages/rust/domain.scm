; Structs and enum variants with named fields.
(struct_item name: (type_identifier) @name body: (field_declaration_list) @body) @struct
(enum_variant name: (identifier) @name body: (field_declaration_list) @body) @variant
