; Functions, of which Python picks those of the shape respond(action, value).
(function_item name: (identifier) @name parameters: (parameters) @parameters) @function
