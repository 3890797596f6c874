; Implementations, of which Python picks those that carry tools.
(impl_item body: (declaration_list)) @impl
