; Implementations of a trait, with the attributes' place left to Python.
(impl_item trait: (_) @trait type: (_) @type body: (declaration_list) @body) @impl
