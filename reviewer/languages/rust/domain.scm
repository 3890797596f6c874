; Structs with named fields.
(struct_item name: (type_identifier) @name body: (field_declaration_list) @body) @struct
